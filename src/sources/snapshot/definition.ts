import type { LocalSourceDefinition } from '../definition/source-definition.ts';

/** The declaration of the source `snapshot`. */
export const snapshot: LocalSourceDefinition = {
  kind: 'local',
  id: 'snapshot',
  about: "exports of Google's public dataset, searched locally",
  howToLoad: 'load an export of the public dataset with `nightshift snapshot load FILE…`.',
};

/** The declaration of the source `sample`: a snapshot of generated ads. */
export const sample: LocalSourceDefinition = {
  kind: 'local',
  id: 'sample',
  about: 'generated ads that ship with Nightshift',
  howToLoad: 'it loads on first use, or with `nightshift snapshot load --sample`.',
};
