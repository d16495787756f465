// @chunk found-lists: of lists that are filtered, in one project and in all of them, which few other pages need.
import type { Bulk } from '#/features/found-list/SelectedBar.tsx'
import type { Image } from './queries.ts'

/** What can be done with many of them; `whyNotAllowed` is why the user may not. */
export const bulkImages = (whyNotAllowed: string | undefined): Bulk<Image> => ({
  kind: 'image',
  noun: 'image',
  whyNotAllowed,
  gone: 'Their contents are gone for good.',
  besides: 'Disks created from them are not affected.',
})
