const labels = new Map(['Text', 'Image', 'Video'].map((label) => [label.toLowerCase(), label]));

/** Label of a format, `Text`, `Image` or `Video`, in any spelling; unknown labels are passed through. */
export function formatLabel(format: string): string {
  return labels.get(format.toLowerCase()) ?? format;
}
