import { Field } from '../../components/forms/field.tsx';
import { SelectField } from '../../components/forms/select-field.tsx';
import { TextField } from '../../components/forms/text-field.tsx';
import { Section } from '../../components/page.tsx';
import { placeKinds, type PlaceDraft, type PlaceKind } from './place.ts';
import type { FieldErrors } from './field-errors.ts';

interface PlaceProps {
  readonly place: PlaceDraft;
  readonly onChange: (part: Partial<PlaceDraft>) => void;
  readonly errors: FieldErrors<'location' | 'credentials'>;
}

/** Fields of a location and its credentials. */
export function PlaceFields({
  kinds,
  ...props
}: PlaceProps & {
  /** Kinds to choose from. */
  readonly kinds: readonly PlaceKind[];
}) {
  const { place, onChange, errors } = props;
  return (
    <div class="mapping">
      <SelectField
        label="Kind"
        values={kinds}
        nameOf={(kind) => placeKinds[kind].name}
        value={place.kind}
        onSelect={(kind) => onChange({ kind, secrets: {} })}
      />
      <TextField
        label="Address"
        hint={`Such as ${placeKinds[place.kind].example}, without secrets.`}
        error={errors.location}
        isCode
        isRequired
        charsMax={2000}
        value={place.address}
        onText={(address) => onChange({ address })}
      />
      {place.kind === 's3' && (
        <>
          <TextField
            label="Endpoint"
            hint="Such as https://s3.example.com. Leave empty for Amazon."
            value={place.endpoint}
            onText={(endpoint) => onChange({ endpoint })}
          />
          <TextField
            label="Region"
            hint="Leave empty for us-east-1."
            value={place.region}
            onText={(region) => onChange({ region })}
          />
        </>
      )}
      {place.kind === 'sftp' && (
        <TextField
          label="Host key"
          hint="As ssh-keygen -l shows it: SHA256:… Leave empty to keep that of the first connection."
          value={place.hostKey}
          onText={(hostKey) => onChange({ hostKey })}
        />
      )}
      <SecretFields {...props} isStored={false} />
    </div>
  );
}

/** Location that stays, with fields for other credentials. */
export function StoredPlace({
  lead,
  ...props
}: PlaceProps & { readonly lead: string; readonly isStored: boolean }) {
  return (
    <Section title="Location" lead={lead}>
      <div class="card">
        <p>
          <code>{props.place.address}</code>
        </p>
        <div class="mapping">
          <SecretFields {...props} />
        </div>
      </div>
    </Section>
  );
}

/** Fields of the credentials. Nothing shows them again. */
function SecretFields({
  place: { kind, secrets },
  onChange,
  errors,
  isStored,
}: PlaceProps & {
  /** True when the location has credentials already: empty fields keep them. */
  readonly isStored: boolean;
}) {
  const hint = isStored
    ? 'Stored. Leave all fields empty to keep the credentials.'
    : 'Stored, and never shown again.';
  return placeKinds[kind].secrets.map(([name, label], index) => {
    const change = (text: string) => onChange({ secrets: { ...secrets, [name]: text } });
    const described = { hint, error: index === 0 ? errors.credentials : undefined };
    return name === 'private_key' ? (
      <Field
        key={name}
        label={label}
        hint="A file, such as id_ed25519. Its content is stored, and never shown."
      >
        <input
          type="file"
          onChange={({ currentTarget }) => {
            const [file] = currentTarget.files ?? [];
            void file?.text().then(change);
          }}
        />
      </Field>
    ) : (
      <Field key={`${kind} ${name}`} label={label} {...described}>
        <input
          type="password"
          autocomplete="new-password"
          maxLength={16_384}
          value={secrets[name] ?? ''}
          onInput={({ currentTarget }) => change(currentTarget.value)}
        />
      </Field>
    );
  });
}
