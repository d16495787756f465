import type { RoleName } from '@gantry/api/base/roles.rules'
import { spoken } from '@gantry/api/base/state.rules'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import Pencil from 'lucide-react/icons/pencil'
import Plus from 'lucide-react/icons/plus'
import { type ReactNode, useMemo, useState } from 'react'
import { useCurrentUser } from '#/data/current-user.ts'
import { confirmAction } from '#/kit/feedback/confirm.tsx'
import { ListPage } from '#/kit/list/ListPage.tsx'
import { usePaletteItems } from '#/kit/page/palette-items.ts'
import { rowMenu } from '#/kit/list/row-menu.tsx'
import { myGroups } from '#/features/settings/queries.ts'
import { Button } from '#/ui/Button.tsx'
import { EmptyState } from '#/ui/feedback/EmptyState.tsx'
import { lazyPart } from '#/ui/lazy-part.tsx'
import type { MenuEntry } from '#/ui/overlays/Menu.tsx'
import type { Column } from '#/ui/data/column.ts'
import { Table } from '#/ui/data/Table.tsx'
import { type Edit, roleIn } from './assignments.ts'
import { lossWords, ownLoss } from './own-loss.ts'
import { type PolicyOwner, ownerName } from './policy-owner.ts'
import { allGroups, allUsers } from './queries.ts'
import {
  type AccessRow,
  accessRows,
  assignable,
  type LevelPolicy,
  nameInText,
  whyNoMore,
  whyNotHere,
} from './rows.ts'
import { roleMessage } from './role-words.tsx'
import { useChangePolicy } from './change-policy.ts'

const AssignRoleForm = lazyPart(() => import('./RoleForms.tsx'), 'AssignRoleForm')
const ChangeRoleForm = lazyPart(() => import('./RoleForms.tsx'), 'ChangeRoleForm')

interface Props {
  title: string
  docs: ReactNode
  /** Where this page assigns roles. */
  owner: PolicyOwner
  /** The policies in effect here, the wider first. */
  policies: readonly LevelPolicy[]
  columns: readonly Column<AccessRow>[]
  /** Label of the button in an empty list. */
  emptyLabel: string
  /** Why the signed-in user may not change the policy. */
  whyNotAllowed: string | undefined
  /** Names by id of policy members from outside the silo. */
  otherNames?: ReadonlyMap<string, string>
  children?: ReactNode
}

const noNames: ReadonlyMap<string, string> = new Map()

/** The roles of users and groups on the fleet, a silo or a project. */
export function AccessPage(props: Props) {
  const { title, docs, owner, policies, columns, emptyLabel, whyNotAllowed, otherNames = noNames } = props
  const { level } = owner
  const { data: users } = useSuspenseQuery(allUsers)
  const { data: groups } = useSuspenseQuery(allGroups)
  const rows = useMemo(() => {
    const names = [...users, ...groups].map(({ id, displayName }) => [id, displayName] as const)
    return accessRows(policies, new Map([...otherNames, ...names]))
  }, [policies, users, groups, otherNames])
  const assignments = policies.find((policy) => policy.level === level)?.assignments ?? []
  const change = useChangePolicy(owner)
  const warning = useOwnWarning(owner, policies)
  const [opened, setOpened] = useState<'new' | { row: AccessRow; role: RoleName }>()
  const close = () => setOpened(undefined)
  const add = () => setOpened('new')
  const whyNoNew = whyNotAllowed ?? whyNoMore(assignments)

  usePaletteItems(whyNoNew ? [] : [{ label: 'Add user or group', run: add }])

  const actions = (row: AccessRow): MenuEntry[] => {
    const disabled = whyNotAllowed ?? whyNotHere(row, level)
    const role = roleIn(assignments, { identityId: row.id })
    const edit = { identityId: row.id, identityType: row.type }
    return rowMenu(row.id, 'Copy ID', [
      {
        label: 'Change role',
        icon: <Pencil aria-hidden strokeWidth={1.75} />,
        disabled,
        onSelect: () => role && setOpened({ row, role }),
      },
      {
        label: 'Delete',
        disabled,
        onSelect: () =>
          confirmAction({
            title: 'Confirm delete role',
            content: (
              <Removal
                name={nameInText(row)}
                role={role}
                owner={owner}
                warning={warning({ ...edit, role: undefined })}
              />
            ),
            kind: 'danger',
            pendingLabel: 'Deleting',
            errorTitle: 'Could not delete role',
            success: roleMessage('Access removed for', nameInText(row)),
            isPlanned: true,
            run: (_isForGood, send) => change({ ...edit, role: undefined, seen: role }, send),
          }),
      },
    ])
  }

  return (
    <ListPage
      title={title}
      docs={docs}
      actions={<AddButton kind="primary" whyNot={whyNoNew} onClick={add} />}
    >
      <Table
        label={title}
        columns={columns}
        rows={rows}
        rowKey={idOf}
        actions={actions}
        empty={
          <EmptyState
            title="No authorized users"
            action={<AddButton whyNot={whyNoNew} onClick={add} label={emptyLabel} />}
          >
            Give a user or group a role to let them view, edit or administer these resources.
          </EmptyState>
        }
      />
      {opened === 'new' && (
        <AssignRoleForm owner={owner} candidates={assignable(users, groups, assignments)} onClose={close} />
      )}
      {opened && opened !== 'new' && (
        <ChangeRoleForm owner={owner} {...opened} warning={warning} onClose={close} />
      )}
      {props.children}
    </ListPage>
  )
}

const idOf = ({ id }: AccessRow): string => id

interface AddProps {
  kind?: 'primary'
  label?: string
  whyNot: string | undefined
  onClick: () => void
}

function AddButton({ kind, label = 'Add user or group', whyNot, onClick }: AddProps) {
  return (
    <Button kind={kind ?? 'default'} disabledReason={whyNot} onClick={onClick}>
      <Plus aria-hidden strokeWidth={1.75} className="-ml-0.5 size-4" />
      {label}
    </Button>
  )
}

interface RemovalProps {
  name: string
  role: string | undefined
  owner: PolicyOwner
  warning: string | undefined
}

function Removal({ name, role, owner, warning }: RemovalProps) {
  return (
    <>
      <p>
        Are you sure you want to delete the {role && spoken(role)} role on {ownerName(owner)} for{' '}
        <strong>{name}</strong>?
      </p>
      {warning && <p>{warning}</p>}
    </>
  )
}

/** The access that the signed-in user would lose by a change, including access through groups. */
function useOwnWarning(owner: PolicyOwner, policies: readonly LevelPolicy[]) {
  const { id } = useCurrentUser()
  const { data: groups = [] } = useQuery(myGroups)
  const mine = new Set([id, ...groups.map((group) => group.id)])
  return (edit: Omit<Edit, 'seen'>): string | undefined => {
    const loss = ownLoss(mine, policies, owner.level, edit)
    return loss && lossWords(owner, loss.left)
  }
}
