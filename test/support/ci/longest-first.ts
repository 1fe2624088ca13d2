import { relative } from 'node:path';
import { BaseSequencer, type TestSequencerConstructor, type TestSpecification } from 'vitest/node';

/**
 * Creates a sequencer that starts with these files, in this order, so that no long file runs alone at the end. The others follow,
 * largest first, and after them the files that share a process: vitest shares a process only among neighbours. An outdated list
 * only costs time.
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
