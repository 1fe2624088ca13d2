/** A defect put in on purpose: one guard taken away, and the tests that must notice. */
export interface SeededBug {
  readonly name: string;
  /** The promise that nobody keeps any more. */
  readonly guard: string;
  /** From the root of the project. */
  readonly file: string;
  /** Stands exactly once in the file. */
  readonly find: string;
  readonly replace: string;
  /** The narrowest test files that must fail, from the folder `test`. */
  readonly tests: readonly string[];
  /** Filter of the tests to run, as for `vitest -t`. Default: all. */
  readonly only?: string;
}
