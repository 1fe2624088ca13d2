import { relative } from 'node:path';
import { BaseSequencer, type TestSequencerConstructor, type TestSpecification } from 'vitest/node';

/**
 * A sequencer that begins with these files, in this order, so that no long one is left to run alone at the end. All others follow,
 * the largest first, and after them those that share their process: a process is shared by files that stand in a row. A list that is out
 * of date costs time and nothing else.
 */
export function longestFirst(root: string, files: readonly string[]): TestSequencerConstructor {
  const places = new Map(files.map((file, place) => [file, place]));
  const placeOf = ({ moduleId, project }: TestSpecification) =>
    (places.get(relative(root, moduleId)) ?? files.length) + (project.config.isolate ? 0 : 2 * files.length);

  return class LongestFirst extends BaseSequencer {
    override async sort(specifications: TestSpecification[]): Promise<TestSpecification[]> {
      const sorted = await super.sort(specifications);
      return sorted.sort((a, b) => placeOf(a) - placeOf(b));
    }
  };
}
