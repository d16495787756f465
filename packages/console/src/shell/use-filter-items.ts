import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import type { LinkTarget } from '#/kit/links/link-target.ts'
import type { PaletteItem } from '#/kit/page/palette-items.ts'

/** A text with a field, such as `state:failed`; a single word is searched for instead. */
const hasField = /(^|[\s(-])[a-z]+(:|[<>]=?)\S/i

/** The lists of the project whose filter the text is, once the grammar has loaded. */
export function useFilterItems(typed: string): PaletteItem[] {
  const { project }: { project?: string } = useRouter().state.matches.at(-1)?.params ?? {}
  const isFilter = project !== undefined && hasField.test(typed)
  const { data: grammar } = useQuery({
    queryKey: ['palette', 'grammar'],
    queryFn: async () => {
      const [{ filterProblem }, { listKinds, ofProjectKinds }] = await Promise.all([
        import('@gantry/api/filter/filter.rules'),
        import('@gantry/api/filter/list-kinds.rules'),
      ])
      return { filterProblem, listKinds, ofProjectKinds }
    },
    staleTime: Infinity,
    enabled: isFilter,
  })
  if (!isFilter || !grammar) return []
  return grammar.ofProjectKinds
    .filter((kind) => grammar.filterProblem(kind, typed) === undefined)
    .map((kind) => {
      const { noun, page } = grammar.listKinds[kind]
      const link: LinkTarget = {
        to: `/projects/$project/${page}`,
        params: { project },
        search: { filter: typed },
      }
      return { label: `All ${noun}s that match ${typed}`, group: 'Filter', link }
    })
}
