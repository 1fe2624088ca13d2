import { relative } from 'node:path';
import { BaseSequencer, type TestSequencerConstructor, type TestSpecification } from 'vitest/node';

/**
 * A sequencer that begins with these files, in this order, so that no long one is left to run alone at the end. All others follow,
 * the largest first. A list that is out of date costs time and nothing else.
 */
export function longestFirst(root: string, files: readonly string[]): TestSequencerConstructor {
  const places = new Map(files.map((file, place) => [file, place]));
  const placeOf = ({ moduleId }: TestSpecification) => places.get(relative(root, moduleId)) ?? files.length;

  return class LongestFirst extends BaseSequencer {
    override async sort(specifications: TestSpecification[]): Promise<TestSpecification[]> {
      const sorted = await super.sort(specifications);
      return sorted.sort((a, b) => placeOf(a) - placeOf(b));
    }
  };
}
