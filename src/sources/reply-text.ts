import { SourceUnreadable } from '../core/errors.ts';

/**
 * An empty object came. A request that the service does not understand gets it, and likely one about a company without ads too, so that
 * alone it says nothing (recorded replies).
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

/** The JSON of a reply. Some of Google's services put a line before it, so that no script can run it. */
export function withoutGuard(reply: string): string {
  return reply.replace(/^\s*\)\]\}'[^\n]*\n?/, '');
}
