import { lazyPart } from '#/ui/lazy-part.tsx'

/** The plan of a deletion: its code loads when it is asked for, not with the pages of what can be deleted. */
export const DeletionPage = lazyPart(() => import('./DeletionPage.tsx'), 'DeletionPage')
