import type { Body } from '../../api/client.ts';
import { EmailField } from '../notifications/email-me.tsx';
import { changeDraft, type Draft } from './draft.ts';

/** Checkbox for an e-mail to the user about the batch that starts. */
export function EmailWhenDone({
  draft,
  subscriptions,
}: {
  readonly draft: Draft;
  /** Undefined until they are loaded. */
  readonly subscriptions: Body<'SubscriptionList'> | undefined;
}) {
  if (subscriptions === undefined) return null;
  return (
    <EmailField
      kind="batch"
      subscriptions={subscriptions}
      isChecked={draft.isEmailed}
      onCheck={(isEmailed) => changeDraft({ isEmailed })}
    />
  );
}
