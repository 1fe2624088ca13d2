import { can } from '../../api/session.ts';
import { Banner } from '../../components/banner.tsx';

/** Banner for a server that cannot send mail: the settings for operators, whom to ask for others. Empty if it can. */
export function MailState({ from }: { readonly from: string | null }) {
  if (from !== null) return null;
  return (
    <Banner kind="warning" title="This server cannot send e-mail">
      <MailRemedy />
    </Banner>
  );
}

/** Next step on a server that cannot send mail. */
export function MailRemedy() {
  return can('operator') ? (
    <p>
      Set <code>NIGHTSHIFT_SMTP_URL</code> (such as <code>smtps://user:password@mail.example.com</code>) and{' '}
      <code>NIGHTSHIFT_MAIL_FROM</code>, and restart Nightshift. <code>nightshift doctor</code> checks the
      login.
    </p>
  ) : (
    <p>Ask the operator of this Nightshift to set up a mail server.</p>
  );
}
