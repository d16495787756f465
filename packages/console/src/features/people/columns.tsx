// @chunk people-columns: of lists of users and groups.
import type { Level } from '@gantry/api/base/permission.rules'
import { roleText } from '#/features/access/role-words.tsx'
import type { LinkTarget } from '#/kit/links/link-target.ts'
import { PageLink } from '#/kit/links/PageLink.tsx'
import { formatNumber } from '#/ui/data/format.ts'
import type { Column } from '#/ui/data/column.ts'
import { Tag, TagList } from '#/ui/data/Tag.tsx'
import { EmptyCell } from '#/ui/data/Truncate.tsx'
import { groupLink, userLink } from './links.ts'
import type { EffectiveRole, GroupRow, UserRow } from './queries.ts'
import { type ScopeNames, sourceWords } from './words.ts'

type Row = UserRow | GroupRow

const nameColumn = <Item extends Row>(linkOf: (id: string) => LinkTarget): Column<Item> => ({
  id: 'name',
  header: 'Name',
  width: '30%',
  cell: ({ id, displayName }) => (
    <PageLink {...linkOf(id)} over className="name">
      {displayName}
    </PageLink>
  ),
})

/** Readers who may not see the fleet's policy get no column for it. */
const roleColumns = <Item extends Row>(silo: string, seesFleet: boolean): Column<Item>[] => [
  {
    id: 'silo-role',
    header: 'Role on silo',
    part: 'state',
    cell: ({ roles }) => <SourceTags level="silo" role={roles.silo} names={{ silo }} />,
  },
  ...(seesFleet
    ? [
        {
          id: 'fleet-role',
          header: 'Role on fleet',
          part: 'meta' as const,
          rank: 'low' as const,
          cell: ({ roles }: Item) =>
            roles.fleet && <SourceTags level="fleet" role={roles.fleet} names={{ silo }} />,
        },
      ]
    : []),
]

export const userColumns = (
  silo: string,
  seesFleet: boolean,
  linkOf: (id: string) => LinkTarget = userLink,
): Column<UserRow>[] => [
  nameColumn(linkOf),
  {
    id: 'groups',
    header: 'Groups',
    part: 'meta',
    cell: ({ groups }) =>
      groups.length === 0 ? (
        <EmptyCell />
      ) : (
        <TagList
          caption="Other groups"
          max={2}
          items={groups.map(({ id, displayName }) => ({
            key: id,
            tag: <Tag>{displayName}</Tag>,
            text: displayName,
          }))}
        />
      ),
  },
  ...roleColumns<UserRow>(silo, seesFleet),
]

export const groupColumns = (silo: string, seesFleet: boolean): Column<GroupRow>[] => [
  nameColumn(groupLink),
  {
    id: 'members',
    header: 'Members',
    align: 'right',
    cell: ({ memberCount }) => <span className="tabular-nums">{formatNumber(memberCount)}</span>,
  },
  ...roleColumns<GroupRow>(silo, seesFleet),
]

interface Props {
  level: Level
  role: EffectiveRole
  names: ScopeNames
}

/** The effective role with its source; further sources are behind `+N`. */
export function SourceTags({ level, role, names }: Props) {
  if (role.sources.length === 0) return <EmptyCell />
  return (
    <TagList
      caption="Other roles"
      items={role.sources.map((source) => {
        const words = sourceWords(source, names)
        return {
          key: words,
          tag: (
            <>
              <Tag>{roleText(level, source.roleName)}</Tag>
              {source.group && <span className="text-muted"> through {source.group.displayName}</span>}
            </>
          ),
          text: words,
        }
      })}
    />
  )
}
