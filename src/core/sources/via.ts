import { Misconfigured } from '../errors.ts';

/** The header that names the installations a question has passed, the newest last. Ours: the contract has no such header. */
export const viaHeader = 'nightshift-via';

/** The source has passed our question on until it came back: to us, or to another installation that it had passed before. */
export class LoopDetected extends Misconfigured {}
