/** Stage at which a reason was found. */
export type ReasonStage = 'syntax' | 'domain' | 'smtp' | 'policy' | 'quality';

/** Subject of a reason. Only a reason about the recipient or its domain can make an address invalid. */
export type ReasonAbout = 'recipient' | 'domain' | 'sender' | 'network' | 'policy';

interface ReasonInfo {
  readonly stage: ReasonStage;
  readonly about: ReasonAbout;
  /** True when a later check may have another result. */
  readonly retryable: boolean;
  /** Explanation for users. */
  readonly message: string;
}

type Data<Stage extends ReasonStage> = ReasonInfo & { readonly stage: Stage };

function reason<Stage extends ReasonStage>(stage: Stage, about: ReasonAbout, message: string): Data<Stage> {
  return { stage, about, retryable: false, message };
}

function retryable<Stage extends ReasonStage>(
  stage: Stage,
  about: ReasonAbout,
  message: string,
): Data<Stage> {
  return { stage, about, retryable: true, message };
}

/** Every reason of a verdict. The codes are stable: programs and queries rely on them. */
export const emailReasons = {
  missing_at: reason('syntax', 'recipient', 'The address has no @.'),
  local_part_empty: reason('syntax', 'recipient', 'The part before the @ is empty.'),
  local_part_invalid: reason(
    'syntax',
    'recipient',
    'The part before the @ has characters that are not allowed.',
  ),
  local_part_too_long: reason('syntax', 'recipient', 'The part before the @ is longer than 64 bytes.'),
  domain_invalid: reason('syntax', 'domain', 'The part after the @ is not a domain name.'),
  domain_label_too_long: reason('syntax', 'domain', 'A label of the domain is longer than 63 characters.'),
  address_too_long: reason('syntax', 'recipient', 'The address is longer than 254 bytes.'),
  unsafe_characters: reason(
    'syntax',
    'recipient',
    'The address has control characters, spaces or invisible characters.',
  ),
  idna_invalid: reason('syntax', 'domain', 'The domain is not a valid internationalised domain name.'),
  quoted_local_not_allowed: reason(
    'syntax',
    'recipient',
    'The part before the @ is quoted. That is legal, but no provider offers such addresses.',
  ),
  domain_literal_not_allowed: reason('syntax', 'domain', 'The domain is an IP address.'),
  special_use_domain: reason('syntax', 'domain', 'The domain is reserved for tests or private networks.'),
  dotless_domain: reason('syntax', 'domain', 'The domain has no dot.'),

  domain_not_found: reason('domain', 'domain', 'The domain does not exist.'),
  null_mx: reason('domain', 'domain', 'The domain accepts no mail (null MX).'),
  no_mail_host: reason('domain', 'domain', 'The domain has no mail server and no address.'),
  mail_host_unroutable: reason('domain', 'domain', 'The mail servers of the domain have no public address.'),
  implicit_mx: reason('domain', 'domain', 'The domain has no MX record; its own address accepts the mail.'),
  spf_reject_all_without_mx: reason(
    'domain',
    'domain',
    'The domain has no MX record, and its SPF record says that it sends no mail.',
  ),
  dns_timeout: retryable('domain', 'network', 'The name servers of the domain did not answer in time.'),
  dns_server_failure: retryable('domain', 'network', 'The name servers of the domain failed.'),
  dns_untrusted: retryable(
    'domain',
    'network',
    'The domain was not checked: the name servers of this machine deny existing domains or invent answers.',
  ),

  mailbox_accepts: reason('smtp', 'recipient', 'The mail server accepts mail for the address.'),
  mailbox_not_found: reason('smtp', 'recipient', 'The mail server says that the mailbox does not exist.'),
  mailbox_disabled: reason('smtp', 'recipient', 'The mail server says that the mailbox is disabled.'),
  mailbox_full: retryable('smtp', 'recipient', 'The mailbox exists and is full.'),
  mailbox_rate_limited: retryable(
    'smtp',
    'recipient',
    'The mailbox exists and receives mail too fast at the moment.',
  ),
  greylisted: retryable(
    'smtp',
    'recipient',
    'The mail server greylisted the check: it accepts mail only after a retry.',
  ),
  server_temporary_error: retryable('smtp', 'network', 'The mail server has a temporary error.'),
  sender_blocked: retryable(
    'smtp',
    'sender',
    'The mail server rejects the sender of the check: that says nothing about the mailbox.',
  ),
  sender_rate_limited: retryable('smtp', 'sender', 'The mail server limits the rate of checks.'),
  relay_denied: reason('smtp', 'policy', 'The mail server does not handle mail for the domain.'),
  recipient_policy: reason(
    'smtp',
    'policy',
    'The mail server accepts mail for the address from some senders only.',
  ),
  connection_refused: retryable('smtp', 'network', 'The mail server refused the connection.'),
  connection_timeout: retryable('smtp', 'network', 'The mail server did not answer in time.'),
  tls_failure: retryable('smtp', 'network', 'The mail server offers TLS that does not work.'),
  protocol_error: retryable('smtp', 'network', 'The mail server violates the SMTP protocol.'),
  unrecognised_reply: reason(
    'smtp',
    'policy',
    'The mail server rejected the address without a word on the mailbox.',
  ),
  smtputf8_unsupported: reason('smtp', 'domain', 'The mail server accepts only ASCII addresses.'),
  catch_all_domain: reason('smtp', 'domain', 'The mail server accepts any address of the domain.'),
  catch_all_inconclusive: retryable('smtp', 'domain', 'The check for a catch-all domain gave no result.'),

  mailbox_not_probed: reason('policy', 'policy', 'The mailbox was not probed: probing is off or not ready.'),
  provider_not_probed: reason(
    'policy',
    'policy',
    'The mailbox was not probed: this provider accepts every address.',
  ),
  domain_paused: retryable(
    'policy',
    'policy',
    'The mailbox was not probed: a policy of the domain rejected the sender of a recent check.',
  ),
  provider_paused: retryable(
    'policy',
    'policy',
    'The mailbox was not probed: the provider rejected the sender of a recent check.',
  ),
  probe_budget_exhausted: retryable(
    'policy',
    'policy',
    'The mailbox was not probed: the probing budget is used up.',
  ),
  outbound_port_25_blocked: retryable(
    'policy',
    'network',
    'The mailbox was not probed: this machine cannot connect to port 25.',
  ),
  opted_out: reason('policy', 'policy', 'The address was not checked: the person or the domain opted out.'),

  disposable_domain: reason('quality', 'domain', 'The domain offers disposable addresses.'),
  privacy_relay: reason('quality', 'domain', 'The domain forwards to a private address (privacy relay).'),
  role_account: reason('quality', 'recipient', 'The address belongs to a role, not to a person.'),
  free_provider: reason('quality', 'domain', 'The domain offers free mailboxes to everyone.'),
  possible_typo: reason('quality', 'domain', 'The domain may be misspelt.'),
  subaddress: reason('quality', 'recipient', 'The address has a subaddress tag.'),
} as const satisfies Readonly<Record<string, ReasonInfo>>;

/** Code of a reason. */
export type EmailReason = keyof typeof emailReasons;

/** Explains a reason to users. A code that an earlier version wrote and this version does not know is its own explanation. */
export function reasonMessage(code: string): string {
  return isReason(code) ? emailReasons[code].message : code;
}

function isReason(code: string): code is EmailReason {
  return Object.hasOwn(emailReasons, code);
}

type AtStage<Stage extends ReasonStage> = {
  [Code in EmailReason]: (typeof emailReasons)[Code]['stage'] extends Stage ? Code : never;
}[EmailReason];

/** Reasons of the syntax stage. */
export type SyntaxReason = AtStage<'syntax'>;

/** Reasons of the DNS stage. */
export type DomainReason = AtStage<'domain'>;

/** Reasons of the SMTP stage. */
export type SmtpReason = AtStage<'smtp'>;

/** Reasons why a mailbox was not probed. */
export type PolicyReason = AtStage<'policy'>;

/** Reasons from the lists and from the address itself. */
export type QualityReason = AtStage<'quality'>;
