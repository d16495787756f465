import { lazyPart } from '#/ui/lazy-part.tsx'

/** The account of an object, in a tab of its page: its code loads with the tab, not with the page. */
export const ActivityTab = lazyPart(() => import('./ActivityPage.tsx'), 'ActivityTab')
