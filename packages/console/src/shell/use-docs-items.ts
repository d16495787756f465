import { useQuery } from '@tanstack/react-query'
import CircleHelp from 'lucide-react/icons/circle-help'
import type { LinkTarget } from '#/kit/links/link-target.ts'
import type { PaletteItem } from '#/kit/page/palette-items.ts'
import { loadDocsSearch } from './registry.tsx'

/** Below every object that matches, so few. */
const mostHits = 5
/** A single letter matches nearly every page. */
const shortest = 2

/** A path or the name of an operation: other words would find more operations than anything else. */
const isOfApi = /[/_]/

/** Pages of the documentation that have the words, once its texts have loaded. */
export function useDocsItems(typed: string): PaletteItem[] {
  const isAsked = typed.length >= shortest
  const { data: search } = useQuery({
    queryKey: ['docs', 'search'],
    queryFn: loadDocsSearch,
    staleTime: Infinity,
    enabled: isAsked,
  })
  if (!isAsked || !search) return []
  return search
    .searchDocs(typed, mostHits, isOfApi.test(typed) ? 'all' : 'prose')
    .map(({ slug, id, heading, title }) => {
      const link: LinkTarget = { to: '/docs/$page', params: { page: slug }, ...(id && { hash: id }) }
      return {
        label: heading,
        group: 'Documentation',
        icon: CircleHelp,
        link,
        ...(heading !== title && { hint: title }),
      }
    })
}
