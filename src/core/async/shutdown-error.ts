/** Stopping in good order: calls under way end, no further one begins, and what is unfinished goes back at once. */
export class ShutdownError extends Error {}
