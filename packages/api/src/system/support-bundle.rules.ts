/**
 * `collecting` gathers the files, `active` can be downloaded, `failed` could not be collected, and
 * `destroying` frees its storage before it disappears.
 */
export const supportBundleStates = ['collecting', 'active', 'failed', 'destroying'] as const
export type SupportBundleState = (typeof supportBundleStates)[number]

/** Deleting a bundle that is being collected cancels it. */
export const supportBundleAllows = {
  download: ['active'],
  delete: ['collecting', 'active', 'failed'],
} as const

/** Maximum length of a comment, in bytes of UTF-8 (control plane reference, A 14). */
export const bundleCommentMaxBytes = 4096
export const bundleCommentProblem = (comment: string): string | undefined =>
  new TextEncoder().encode(comment).length > bundleCommentMaxBytes
    ? `User comment cannot exceed ${bundleCommentMaxBytes} bytes`
    : undefined
