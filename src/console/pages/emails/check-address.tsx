import { useState } from 'preact/hooks';
import { api, read, type Body } from '../../api/client.ts';
import { useAction } from '../../api/use-action.ts';
import { newRequestKey } from '../../api/request-key.ts';
import { Banner, ErrorBanner } from '../../components/banner.tsx';
import { formatCredits } from '../../components/format.ts';
import { recommendationNames } from '../../components/result-labels.ts';
import { StatusBadge } from './email-columns.tsx';

const charsMax = 320;

/** Form that checks one address, and shows the verdict. */
export function CheckAddress({ onChecked }: { readonly onChecked: () => void }) {
  const [email, setEmail] = useState('');
  // A retry after a lost connection is not charged twice.
  const [requestKey, setRequestKey] = useState(newRequestKey);
  const [result, setResult] = useState<Body<'EmailValidationResponse'> | null>(null);
  const checking = useAction(async () => {
    setResult(null);
    const params = { header: { 'Idempotency-Key': requestKey } };
    setResult(await read(api.POST('/v1/people/email-validation', { params, body: { email } })));
    change('');
    onChecked();
  });
  const change = (text: string) => {
    setEmail(text);
    setRequestKey(newRequestKey());
  };
  return (
    <form
      class="check-address"
      onSubmit={(event) => {
        event.preventDefault();
        checking.run();
      }}
    >
      <input
        aria-label="Address to check"
        inputMode="email"
        autocomplete="off"
        spellcheck={false}
        required
        maxLength={charsMax}
        placeholder="name@example.com"
        value={email}
        onInput={({ currentTarget }) => change(currentTarget.value)}
      />
      <button type="submit" disabled={checking.isRunning}>
        {checking.isRunning ? 'Checking …' : 'Check address'}
      </button>
      <ErrorBanner error={checking.error} />
      {result !== null && <Result result={result} onClose={() => setResult(null)} />}
    </form>
  );
}

function Result({
  result,
  onClose,
}: {
  readonly result: Body<'EmailValidationResponse'>;
  readonly onClose: () => void;
}) {
  const { email, email_status: status, recommendation, message } = result;
  const { credits_consumed: credits } = result;
  return (
    <Banner>
      <p>
        <StatusBadge status={status} /> <strong class="address">{email}</strong> {message}{' '}
        {recommendationNames[recommendation]}.{credits > 0 && ` Charged: ${formatCredits(credits)} credits.`}
      </p>
      <button type="button" onClick={onClose}>
        Close
      </button>
    </Banner>
  );
}
