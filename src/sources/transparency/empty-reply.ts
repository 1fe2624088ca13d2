import { SourceUnreadable } from '../../core/errors.ts';
import { withoutGuard } from '../replies/without-guard.ts';

/**
 * The service returned an empty object. It does so for requests that it does not understand, and probably for companies without
 * ads, so the object alone says nothing (recorded replies).
 */
export class EmptyReply extends SourceUnreadable {
  constructor() {
    super(
      'The source transparency answered an empty object. That can mean that it has nothing, or that its interface has changed.',
    );
  }
}

/** @throws EmptyReply */
export function rejectEmpty(reply: string): void {
  if (isEmptyObject(reply)) throw new EmptyReply();
}

export function isEmptyObject(reply: string): boolean {
  return /^\s*\{\s*\}\s*$/.test(withoutGuard(reply));
}
