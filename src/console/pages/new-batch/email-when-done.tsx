import { useSubscriptions } from '../../api/use-subscriptions.ts';
import { EmailField } from '../notifications/email-me.tsx';
import { changeDraft, type Draft } from './draft.ts';

/** Checkbox for an e-mail to the user about the batch that starts. */
export function EmailWhenDone({ draft }: { readonly draft: Draft }) {
  const { data: subscriptions } = useSubscriptions().loaded;
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
