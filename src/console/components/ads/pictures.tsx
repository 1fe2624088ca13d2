import { signal } from '@preact/signals';

const storageKey = 'nightshift-pictures';

/** True once the user turned pictures on, in this browser: their hosts see the requests. */
export const showsPictures = signal(localStorage.getItem(storageKey) === 'on');

/** Switch for the pictures of ads, which load from the hosts of their archive. */
export function PictureChoice() {
  return (
    <label class="choice">
      <input
        type="checkbox"
        role="switch"
        checked={showsPictures.value}
        onChange={({ currentTarget }) => {
          showsPictures.value = currentTarget.checked;
          localStorage.setItem(storageKey, currentTarget.checked ? 'on' : 'off');
        }}
      />
      Show pictures
    </label>
  );
}

/** Explains the switch while it is off. */
export function PictureHint() {
  if (showsPictures.value) return null;
  return (
    <p class="hint">
      Pictures load from Google’s servers, and only when you turn them on. Google then sees your request.
    </p>
  );
}

/** Picture of an ad, loaded when it comes into view. Never uses the ad's own markup. */
export function Picture({
  href,
  about,
  width,
  height,
}: {
  readonly href: string;
  readonly about: string;
  /** Size in pixels, or null. */
  readonly width: number | null;
  readonly height: number | null;
}) {
  return (
    <img
      class="creative"
      src={href}
      alt={about}
      {...(width === null || height === null ? {} : { width, height })}
      loading="lazy"
      decoding="async"
      referrerpolicy="no-referrer"
    />
  );
}
