import { useQuery } from '@tanstack/react-query'
import { useRouterState } from '@tanstack/react-router'
import { sections } from 'virtual:docs/contents'
import ArrowLeft from 'lucide-react/icons/arrow-left'
import { useState } from 'react'
import { PageLink, RouteAnchor } from '#/kit/links/PageLink.tsx'
import { classes } from '#/ui/classes.ts'
import { inputClass } from '#/ui/inputs/Field.tsx'
import { docLink } from './links.ts'

/** The contents of the documentation, and its search. */
export function DocsNav({ onGo, isOpen = false }: { onGo?: () => void; isOpen?: boolean }) {
  const [typed, setTyped] = useState('')
  return (
    <nav aria-label="Sidebar navigation" className="flex min-h-full flex-col gap-3">
      <SearchField typed={typed} onType={setTyped} />
      {typed.trim() === '' ? (
        <Contents onGo={onGo} />
      ) : (
        <Hits
          typed={typed}
          onGo={() => {
            setTyped('')
            onGo?.()
          }}
        />
      )}
      {/* Without a session there are none. */}
      {!isOpen && (
        <PageLink
          to="/projects"
          className="mt-auto flex items-center gap-2 rounded-control px-2.5 py-1.5 text-sm text-text hover:bg-text/7 coarse:min-h-11"
        >
          <ArrowLeft aria-hidden strokeWidth={1.75} className="size-4 text-faint" />
          Back to projects
        </PageLink>
      )}
    </nav>
  )
}

export const SearchField = ({ typed, onType }: { typed: string; onType: (text: string) => void }) => (
  <input
    type="search"
    aria-label="Search the documentation"
    placeholder="Search the documentation"
    autoComplete="off"
    spellCheck={false}
    maxLength={80}
    value={typed}
    onChange={({ target }) => onType(target.value)}
    className={`${inputClass} h-control! shrink-0 text-sm`}
  />
)

function Contents({ onGo }: { onGo: (() => void) | undefined }) {
  const path = useRouterState({ select: ({ location }) => location.pathname })
  return sections.map(({ title, pages }) => (
    <section key={title}>
      <h2 className="px-2.5 pb-0.5 text-xs font-medium text-muted">{title}</h2>
      <ul>
        {pages.map((page) => {
          const isCurrent = path === `/docs/${page.slug}`
          return (
            <li key={page.slug}>
              <PageLink
                {...docLink(page.slug)}
                onClick={onGo}
                aria-current={isCurrent ? 'page' : undefined}
                className={classes(
                  'relative block rounded-control px-2.5 py-1 text-sm coarse:py-3',
                  isCurrent ? 'bg-selected font-semibold text-strong' : 'text-text hover:bg-text/7',
                )}
              >
                {isCurrent && (
                  <span
                    data-current-edge
                    className="absolute inset-y-1 -left-2.5 w-[3px] rounded-r-[2px] bg-accent-edge"
                  />
                )}
                {page.title.replace(/^API: /, '')}
              </PageLink>
            </li>
          )
        })}
      </ul>
    </section>
  ))
}

const mostHits = 20

/** Loads the texts at the first letter. */
export function Hits({ typed, onGo }: { typed: string; onGo?: () => void }) {
  const { data: search, isError } = useQuery({
    queryKey: ['docs', 'search'],
    queryFn: () => import('./search.ts'),
    staleTime: Infinity,
  })
  if (isError) return <p className="px-2.5 text-sm text-muted">The search could not load. Reload the page.</p>
  if (!search) return null
  const hits = search.searchDocs(typed, mostHits)
  if (hits.length === 0)
    return (
      <p role="status" className="px-2.5 text-sm text-muted">
        Nothing matches
      </p>
    )
  return (
    <ul aria-label="Search results">
      {hits.map(({ slug, id, heading, title, section, extract }) => (
        <li key={`${slug} ${id}`}>
          <RouteAnchor
            href={`/docs/${slug}${id && `#${id}`}`}
            onClick={onGo}
            className="block rounded-control px-2.5 py-1.5 text-sm hover:bg-text/7"
          >
            <span className="block font-medium text-strong">{heading}</span>
            <span className="block text-xs text-muted">
              {section}
              {heading !== title && `, ${title}`}
            </span>
            <span className="line-clamp-2 text-xs text-muted">{extract}</span>
          </RouteAnchor>
        </li>
      ))}
    </ul>
  )
}
