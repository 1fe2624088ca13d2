/** Selected rows by their keys. */
export interface Selection {
  readonly keys: ReadonlySet<string>;
  readonly toggle: (keys: readonly string[], isSelected: boolean) => void;
}
