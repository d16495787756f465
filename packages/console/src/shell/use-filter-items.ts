import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import type { LinkTarget } from '#/kit/links/link-target.ts'
import type { PaletteItem } from '#/kit/page/palette-items.ts'

const lists = {
  instance: { noun: 'instances', to: '/projects/$project/instances' },
  disk: { noun: 'disks', to: '/projects/$project/disks' },
  snapshot: { noun: 'snapshots', to: '/projects/$project/snapshots' },
  'instance-snapshot': { noun: 'instance snapshots', to: '/projects/$project/instance-snapshots' },
  'instance-backup': { noun: 'backups', to: '/projects/$project/backups' },
  image: { noun: 'images', to: '/projects/$project/images' },
  'floating-ip': { noun: 'floating IPs', to: '/projects/$project/floating-ips' },
  'external-subnet': { noun: 'external subnets', to: '/projects/$project/external-subnets' },
  vpc: { noun: 'VPCs', to: '/projects/$project/vpcs' },
} as const

/** A text with a field, such as `state:failed`; a single word is searched for instead. */
const hasField = /(^|[\s(-])[a-z]+(:|[<>]=?)\S/i

/** The lists of the project whose filter the text is, once the grammar has loaded. */
export function useFilterItems(typed: string): PaletteItem[] {
  const { project }: { project?: string } = useRouter().state.matches.at(-1)?.params ?? {}
  const isFilter = project !== undefined && hasField.test(typed)
  const { data: grammar } = useQuery({
    queryKey: ['palette', 'grammar'],
    queryFn: () => import('@gantry/api/filter/filter.rules'),
    staleTime: Infinity,
    enabled: isFilter,
  })
  if (!isFilter || !grammar) return []
  return (Object.keys(lists) as (keyof typeof lists)[])
    .filter((kind) => grammar.filterProblem(kind, typed) === undefined)
    .map((kind) => {
      const { noun, to } = lists[kind]
      const link: LinkTarget = { to, params: { project }, search: { filter: typed } }
      return { label: `All ${noun} that match ${typed}`, group: 'Filter', link }
    })
}
