import { nameIn, NameOf, type Names } from '#/kit/page/deferred.tsx'
import type { Column } from '#/ui/data/column.ts'
import { Tag } from '#/ui/data/Tag.tsx'
import { Term } from '#/ui/data/Term.tsx'
import { EmptyCell, Truncate } from '#/ui/data/Truncate.tsx'
import type { PoolLinks, SiloLink } from './pool-links.ts'

/** A link as a row: a pool and a silo have at most one. */
export type LinkRow = SiloLink & { id: string }
export const linkRow = (link: SiloLink): LinkRow => ({ ...link, id: link.siloId })

/** The name of a silo, or its id if unknown. */
export const siloWord = (names: Names, { siloId }: SiloLink): string => nameIn(names, siloId) ?? siloId

export const linkColumns = (names: Names, { tab }: Pick<PoolLinks, 'tab'>): Column<LinkRow>[] => [
  {
    id: 'silo',
    header: 'Silo',
    cell: ({ siloId }) => (
      <NameOf names={names} id={siloId} gone={<Truncate text={siloId} max={24} at="middle" />} linkOf={tab} />
    ),
  },
  {
    id: 'default',
    header: <Term tip="The default pool of a silo is used when a request names no pool">Silo default</Term>,
    part: 'state',
    cell: ({ isDefault }) => (isDefault ? <Tag>default</Tag> : <EmptyCell />),
  },
]
