// @chunk apart: the kinds of lists are large, and few saved queries are filters.
import { listKinds, type OfProjectKind } from '@gantry/api/filter/list-kinds.rules'
import { PageLink } from '#/kit/links/PageLink.tsx'
import { buttonClass } from '#/ui/Button.tsx'

interface Props {
  project: string
  filterOf: OfProjectKind
  filter: string
}

/** Opens the list of what a saved filter matches. */
export const MatchesLink = ({ project, filterOf, filter }: Props) => (
  <PageLink
    to={`/projects/$project/${listKinds[filterOf].page}`}
    params={{ project }}
    search={{ filter }}
    className={buttonClass({ kind: 'default' })}
  >
    Show matches
  </PageLink>
)
