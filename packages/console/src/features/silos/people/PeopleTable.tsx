import type { PasswordState } from '@gantry/api/people/silo.rules'
import { useMemo, useState } from 'react'
import { useStore } from '#/store.ts'
import { NothingMatches } from '#/kit/list/NothingMatches.tsx'
import { useFind } from '#/kit/list/use-find.ts'
import { ResourceTable } from '#/kit/list/ResourceTable.tsx'
import { TabHead } from '#/kit/page/RouteTabs.tsx'
import { NewLink } from '#/kit/list/ListPage.tsx'
import { PageLink } from '#/kit/links/PageLink.tsx'
import { useListPage } from '#/kit/list/use-list-page.ts'
import { useListPalette } from '#/kit/page/palette-items.ts'
import { PeopleTools } from '#/features/people/PeopleTools.tsx'
import type { Column } from '#/ui/data/column.ts'
import { CopyableId } from '#/ui/CopyButton.tsx'
import { DateTime } from '#/ui/data/DateTime.tsx'
import { EmptyState } from '#/ui/feedback/EmptyState.tsx'
import { formatNumber } from '#/ui/data/format.ts'
import { lazyPart } from '#/ui/lazy-part.tsx'
import { Tag } from '#/ui/data/Tag.tsx'
import { EmptyCell } from '#/ui/data/Truncate.tsx'
import { siloUserLink } from '../links.ts'
import type { Silo } from '../queries.ts'
import { passwordSeen, unseenPasswords } from './issued.ts'
import { hasPeople, peopleFound, type Person } from './queries.ts'
import { type User, usePersonActions } from './use-person-actions.tsx'

const OneTimePasswordDialog = lazyPart(() => import('./OneTimePasswordDialog.tsx'), 'OneTimePasswordDialog')
const SiloRoleDialog = lazyPart(() => import('./SiloRoleDialog.tsx'), 'SiloRoleDialog')
const SetPasswordDialog = lazyPart(() => import('./SetPasswordDialog.tsx'), 'SetPasswordDialog')

/** The users of a silo, for administrators who may create and delete them and reset their sign-in. */
export function PeopleTable({ silo }: { silo: Silo }) {
  const { search } = useFind()
  const list = useListPage(peopleFound(silo.name, search))
  // Known once the list has answered.
  const hasFacts = hasPeople()
  const columns = useMemo(() => personColumns(silo.name, hasFacts), [silo.name, hasFacts])
  const [issued] = useStore(unseenPasswords)
  const [setting, setSetting] = useState<User>()
  const [changing, setChanging] = useState<User>()
  const actions = usePersonActions(silo, {
    onSetPassword: setSetting,
    onChangeRole: setChanging,
  })
  const isLocal = silo.identityMode === 'local_only'
  const link = { to: '/system/silos/$silo/users-new', params: { silo: silo.name } } as const
  useListPalette({
    kind: 'user',
    create: isLocal ? { label: 'New user', link } : undefined,
    rows: list.rows,
    rowEntry: ({ id, displayName }) => ({
      label: displayName,
      link: siloUserLink(silo.name, id),
      over: true,
    }),
  })
  return (
    <>
      <TabHead actions={isLocal && <NewLink link={link}>New user</NewLink>}>
        {about[silo.identityMode]}
      </TabHead>
      {hasFacts && <PeopleTools pluralNoun="users" />}
      <ResourceTable
        label="Users"
        list={list}
        columns={columns}
        actions={actions}
        empty={
          search.name ? (
            <NothingMatches />
          ) : (
            <EmptyState title="No users">{whereFrom[silo.identityMode]}</EmptyState>
          )
        }
      />
      {issued && <OneTimePasswordDialog {...issued} onClose={passwordSeen} />}
      {changing && <SiloRoleDialog silo={silo.name} user={changing} onClose={() => setChanging(undefined)} />}
      {setting && <SetPasswordDialog silo={silo.name} user={setting} onClose={() => setSetting(undefined)} />}
    </>
  )
}

const about: Readonly<Record<Silo['identityMode'], string>> = {
  local_only: 'Users of this silo sign in with a password.',
  saml_jit: 'Users of this silo are created when they sign in at the identity provider.',
  saml_scim: 'Users of this silo are created, changed and removed by its identity provider.',
}
const whereFrom: Readonly<Record<Silo['identityMode'], string>> = {
  local_only: 'Create a user to see it here.',
  saml_jit: 'Users appear here after they sign in at the identity provider.',
  saml_scim: 'Users appear here when the identity provider creates them by SCIM.',
}

/** How the users of a silo sign in, and their open sessions and tokens, where the server says so. */
const personColumns = (silo: string, hasFacts: boolean): Column<Person>[] => [
  {
    id: 'name',
    header: 'Name',
    cell: ({ id, displayName, isActive = true }) => (
      <span className="inline-flex flex-wrap items-center gap-x-2">
        <PageLink {...siloUserLink(silo, id)} over className="name">
          {displayName}
        </PageLink>
        {!isActive && <Tag>Inactive</Tag>}
      </span>
    ),
  },
  ...(hasFacts
    ? factColumns
    : [
        {
          id: 'id',
          header: 'ID',
          part: 'meta' as const,
          cell: ({ id }: Person) => <CopyableId id={id} max={36} />,
        },
      ]),
]

const factColumns: Column<Person>[] = [
  {
    id: 'password',
    header: 'Password',
    part: 'state',
    isLabelled: true,
    cell: ({ password = 'none' }) =>
      password === 'none' ? <EmptyCell /> : <Tag>{passwordWords[password]}</Tag>,
  },
  {
    id: 'second-factor',
    header: 'Second factor',
    part: 'meta',
    rank: 'low',
    cell: ({ hasSecondFactor }) => (hasSecondFactor ? 'Yes' : 'No'),
  },
  {
    id: 'sessions',
    header: 'Sessions',
    align: 'right',
    isLabelled: true,
    cell: ({ sessionCount = 0 }) => <span className="tabular-nums">{formatNumber(sessionCount)}</span>,
  },
  {
    id: 'tokens',
    header: 'Access tokens',
    align: 'right',
    isLabelled: true,
    rank: 'low',
    cell: ({ accessTokenCount = 0 }) => (
      <span className="tabular-nums">{formatNumber(accessTokenCount)}</span>
    ),
  },
  {
    id: 'last-used',
    header: 'Last used',
    part: 'meta',
    rank: 'low',
    cell: ({ timeLastUsed }) => (timeLastUsed ? <DateTime value={timeLastUsed} /> : <EmptyCell />),
  },
]

const passwordWords: Record<PasswordState, string> = {
  set: 'Set',
  one_time: 'One-time',
  none: 'None',
}
