import { useState } from 'preact/hooks';
import type { Body } from '../../api/client.ts';
import { session } from '../../api/session.ts';
import { useSubscriptions, type Subject } from '../../api/use-subscriptions.ts';
import { ErrorBanner } from '../../components/banner.tsx';
import { CheckField } from '../../components/forms/check-field.tsx';
import { MailRemedy } from './mail-state.tsx';

const occasions: Readonly<Record<Subject['kind'], string>> = {
  batch: 'when this batch is finished or waits for credits',
  schedule: 'when a scan finds changes or fails',
};

/** Checkbox for the user's own e-mail about a batch or schedule, saved at once. Without an address or a mail server: what to do. */
export function EmailMe({ kind, id }: Subject) {
  const { loaded, set } = useSubscriptions();
  const [wanted, setWanted] = useState(false);
  const { data } = loaded;
  if (data === undefined) return <ErrorBanner error={loaded.error} onRetry={loaded.reload} />;
  const isOn = data.subscriptions.some((each) => each.kind === kind && each.id === id);
  return (
    <>
      <EmailField
        kind={kind}
        subscriptions={data}
        // A click shows at once, and until the response.
        isChecked={set.isRunning ? wanted : isOn}
        isDisabled={set.isRunning}
        onCheck={(next) => {
          setWanted(next);
          set.run({ kind, id }, next);
        }}
      />
      <ErrorBanner error={set.error} />
    </>
  );
}

/** Checkbox for the user's own e-mail. Without an address or a mail server: what to do. */
export function EmailField({
  kind,
  subscriptions: { email, unavailable },
  ...check
}: {
  readonly kind: Subject['kind'];
  readonly subscriptions: Body<'SubscriptionList'>;
  readonly isChecked: boolean;
  readonly isDisabled?: boolean;
  readonly onCheck: (isOn: boolean) => void;
}) {
  // A subscription from before stays removable.
  if (unavailable === null || check.isChecked)
    return <CheckField label={`E-mail me at ${email ?? ''} ${occasions[kind]}`} {...check} />;
  return (
    <div class="quiet small">
      <p>You can get an e-mail {occasions[kind]}, but not yet:</p>
      {unavailable === 'no_mail_server' ? (
        <MailRemedy />
      ) : (
        <p>
          Your login, {session.value?.user?.login}, is not an e-mail address. Ask an admin to add your mailbox
          under Settings, Notifications.
        </p>
      )}
    </div>
  );
}
