/** What a menu calls the next step. */
export const recordingLabels = {
  off: 'Record session',
  on: 'Stop recording',
  stopped: 'Show recording',
  shown: 'Show recording',
} as const
