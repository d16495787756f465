import type { DemandableKind } from '@gantry/api/tags/tag-demand.rules'
import { useHasExtensions } from '#/kit/page/use-served.ts'
import { lazyPart } from '#/ui/lazy-part.tsx'

const NewTagsSection = lazyPart(
  () => import('./NewTagsSection.tsx'),
  'NewTagsSection',
  <div className="h-12 border-y border-line" />,
)

interface Props {
  kind: DemandableKind
  /** Where the new object will be, unless it is a project. */
  project?: string
}

/** The section of a form that gives the new object tags, on servers that have them. */
export const NewTags = (props: Props) => useHasExtensions() && <NewTagsSection {...props} />
