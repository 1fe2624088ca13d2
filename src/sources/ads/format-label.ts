const labels = new Map(['Text', 'Image', 'Video'].map((label) => [label.toLowerCase(), label]));

/** The label of a format, `Text`, `Image` or `Video`, however it is spelled; one that is not known is passed through. */
export function formatLabel(format: string): string {
  return labels.get(format.toLowerCase()) ?? format;
}
