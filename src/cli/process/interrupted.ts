/** The end of a command that was interrupted. The message says what is kept, and how to continue. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}
