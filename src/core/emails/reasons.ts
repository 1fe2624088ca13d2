/** Stage at which a reason was found. */
export type ReasonStage = 'syntax' | 'domain' | 'smtp' | 'policy' | 'quality';

/** Subject of a reason. Only a reason about the recipient or its domain can make an address invalid. */
export type ReasonAbout = 'recipient' | 'domain' | 'sender' | 'network' | 'policy';

interface ReasonInfo {
  readonly stage: ReasonStage;
  readonly about: ReasonAbout;
  /** True when a later check may give another answer. */
  readonly retryable: boolean;
  /** Message for people. */
  readonly words: string;
}

type Data<Stage extends ReasonStage> = ReasonInfo & { readonly stage: Stage };

function reason<Stage extends ReasonStage>(stage: Stage, about: ReasonAbout, words: string): Data<Stage> {
  return { stage, about, retryable: false, words };
}

function passing<Stage extends ReasonStage>(stage: Stage, about: ReasonAbout, words: string): Data<Stage> {
  return { stage, about, retryable: true, words };
}

/** Every reason that a verdict can give. The codes are stable: programs and queries rely on them. */
export const emailReasons = {
  missing_at: reason('syntax', 'recipient', 'The address has no @.'),
  local_part_empty: reason('syntax', 'recipient', 'The part before the @ is empty.'),
  local_part_invalid: reason('syntax', 'recipient', 'The part before the @ is invalid.'),
  local_part_too_long: reason('syntax', 'recipient', 'The part before the @ is longer than 64 bytes.'),
  domain_invalid: reason('syntax', 'domain', 'The part after the @ is not a domain name.'),
  domain_label_too_long: reason('syntax', 'domain', 'A part of the domain is longer than 63 characters.'),
  address_too_long: reason('syntax', 'recipient', 'The address is longer than 254 bytes.'),
  unsafe_characters: reason(
    'syntax',
    'recipient',
    'The address contains control characters, spaces or invisible characters.',
  ),
  idna_invalid: reason('syntax', 'domain', 'The internationalised domain name is invalid.'),
  quoted_local_not_allowed: reason(
    'syntax',
    'recipient',
    'A quoted local part is legal, but no provider uses one.',
  ),
  domain_literal_not_allowed: reason(
    'syntax',
    'domain',
    'The address has an IP address instead of a domain.',
  ),
  special_use_domain: reason('syntax', 'domain', 'The domain is reserved for tests or private networks.'),
  dotless_domain: reason('syntax', 'domain', 'The domain has no dot.'),

  domain_not_found: reason('domain', 'domain', 'The domain does not exist.'),
  null_mx: reason('domain', 'domain', 'The domain does not accept mail (null MX).'),
  no_mail_host: reason('domain', 'domain', 'The domain has no mail server and no IP address.'),
  mail_host_unroutable: reason(
    'domain',
    'domain',
    'The mail servers of the domain have no public IP address.',
  ),
  implicit_mx: reason('domain', 'domain', 'The domain has no MX record. Mail goes to its own IP address.'),
  spf_reject_all_without_mx: reason(
    'domain',
    'domain',
    'The domain has no MX record and declares that it sends no mail.',
  ),
  dns_timeout: passing('domain', 'network', 'The name servers of the domain did not respond in time.'),
  dns_server_failure: passing('domain', 'network', 'The name servers of the domain returned an error.'),
  dns_untrusted: passing(
    'domain',
    'network',
    'The domain was not checked: the name servers of this machine return wrong answers.',
  ),

  mailbox_accepts: reason('smtp', 'recipient', 'The mail server accepts the address.'),
  mailbox_not_found: reason('smtp', 'recipient', 'The mailbox does not exist, according to the mail server.'),
  mailbox_disabled: reason('smtp', 'recipient', 'The mailbox is disabled, according to the mail server.'),
  mailbox_full: passing('smtp', 'recipient', 'The mailbox exists, but is full.'),
  mailbox_rate_limited: passing(
    'smtp',
    'recipient',
    'The mailbox exists, but currently receives mail too fast.',
  ),
  greylisted: passing('smtp', 'recipient', 'The mail server requested a later retry.'),
  server_temporary_error: passing('smtp', 'network', 'The mail server returned a temporary error.'),
  sender_blocked: passing('smtp', 'sender', 'The mail server rejects the sender, whatever the mailbox.'),
  sender_rate_limited: passing('smtp', 'sender', 'The mail server limits the rate of requests.'),
  relay_denied: reason('smtp', 'policy', 'The mail server does not handle this domain.'),
  recipient_policy: reason(
    'smtp',
    'policy',
    'The mail server accepts mail for the address only from some senders.',
  ),
  connection_refused: passing('smtp', 'network', 'The mail server refused the connection.'),
  connection_timeout: passing('smtp', 'network', 'The mail server did not respond in time.'),
  tls_failure: passing('smtp', 'network', 'The encryption of the mail server does not work.'),
  protocol_error: passing('smtp', 'network', 'The mail server violates the SMTP protocol.'),
  unrecognised_reply: reason(
    'smtp',
    'policy',
    'The mail server rejected the address without a clear reason.',
  ),
  smtputf8_unsupported: reason('smtp', 'domain', 'The mail server accepts only ASCII addresses.'),
  catch_all_domain: reason('smtp', 'domain', 'The mail server accepts any address of the domain.'),
  catch_all_inconclusive: passing('smtp', 'domain', 'The test for a catch-all domain had no clear result.'),

  mailbox_not_probed: reason('policy', 'policy', 'The mailbox was not checked: probing is off or not ready.'),
  provider_not_probed: reason(
    'policy',
    'policy',
    'The mailbox was not checked: this provider gives no reliable answers.',
  ),
  domain_paused: passing(
    'policy',
    'policy',
    'The mailbox was not checked: the domain recently rejected checks.',
  ),
  provider_paused: passing(
    'policy',
    'policy',
    'The mailbox was not checked: the provider recently rejected checks.',
  ),
  probe_budget_exhausted: passing(
    'policy',
    'policy',
    'The mailbox was not checked: the probe budget is used up.',
  ),
  outbound_port_25_blocked: passing(
    'policy',
    'network',
    'The mailbox was not checked: outbound port 25 is blocked.',
  ),
  opted_out: reason('policy', 'policy', 'The mailbox was not checked: the domain or its owner opted out.'),

  disposable_domain: reason('quality', 'domain', 'The domain provides disposable addresses.'),
  privacy_relay: reason('quality', 'domain', 'The domain forwards mail to a private address.'),
  role_account: reason('quality', 'recipient', 'The address belongs to a role, not to a person.'),
  free_provider: reason('quality', 'domain', 'The domain provides free addresses.'),
  possible_typo: reason('quality', 'domain', 'The domain looks misspelt.'),
  subaddress: reason('quality', 'recipient', 'The address contains a tag.'),
} as const satisfies Readonly<Record<string, ReasonInfo>>;

/** Code of a reason. */
export type EmailReason = keyof typeof emailReasons;

type AtStage<Stage extends ReasonStage> = {
  [Code in EmailReason]: (typeof emailReasons)[Code]['stage'] extends Stage ? Code : never;
}[EmailReason];

/** Reasons of the syntax stage. */
export type SyntaxReason = AtStage<'syntax'>;

/** Reasons of the DNS stage. */
export type DomainReason = AtStage<'domain'>;

/** Reasons of the SMTP stage. */
export type SmtpReason = AtStage<'smtp'>;

/** Reasons for skipping the SMTP stage. */
export type PolicyReason = AtStage<'policy'>;

/** Reasons from lists and from the address itself. */
export type QualityReason = AtStage<'quality'>;
