import { whyNoMoreRules } from '@gantry/api/network/vpc-firewall.rules'
import { useSuspenseQuery } from '@tanstack/react-query'
import ArrowUpDown from 'lucide-react/icons/arrow-up-down'
import CopyPlus from 'lucide-react/icons/copy-plus'
import Pencil from 'lucide-react/icons/pencil'
import { useLayoutEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import { flushSync } from 'react-dom'
import { usePolling } from '#/data/live.ts'
import { createdColumn } from '#/kit/list/columns.tsx'
import { confirmDelete } from '#/kit/feedback/confirm.tsx'
import { selectColumn } from '#/kit/list/SelectBoxes.tsx'
import { createSelection, type Selection } from '#/kit/list/selection.ts'
import { NewLink } from '#/kit/list/ListPage.tsx'
import { PageLink } from '#/kit/links/PageLink.tsx'
import { useWhyNotNetworks } from '#/data/permissions.ts'
import { rowMenu } from '#/kit/list/row-menu.tsx'
import { successMessage } from '#/kit/feedback/success-message.tsx'
import { useListPalette } from '#/kit/page/palette-items.ts'
import { Button } from '#/ui/Button.tsx'
import { EmptyState } from '#/ui/feedback/EmptyState.tsx'
import { lazyPart } from '#/ui/lazy-part.tsx'
import type { Column } from '#/ui/data/column.ts'
import { Table } from '#/ui/data/Table.tsx'
import { saySaved } from '#/kit/feedback/undo.tsx'
import { firewallRuleLink, newFirewallRuleLink } from '#/features/vpcs/links.ts'
import { PastLink } from '#/features/past/PastLink.tsx'
import { SelectedRules } from './SelectedRules.tsx'
import { ConflictSlot } from './ConflictSlot.tsx'
import { panelsId } from './packet/search.ts'
import { useCanCheck } from './packet/use-packet-check.ts'
import { firewallRules } from './queries.ts'
import { ruleColumns } from './rule-columns.tsx'
import { byPriority, type FirewallRule } from './rule.ts'
import type { SeenRules } from './save.ts'
import { savedMessage, useSaveRules } from './use-save-rules.tsx'
import { useTouched } from './use-touched.ts'

const ReorderRules = lazyPart(() => import('./ReorderRules.tsx'), 'ReorderRules')
const FirewallPanels = lazyPart(() => import('./packet/FirewallPanels.tsx'), 'FirewallPanels')
const goToPanels = (): void => document.getElementById(panelsId)?.focus()

const pollMs = 30_000

interface Props {
  project: string
  vpc: string
}

/** All rules of a VPC in evaluation order. */
export function FirewallTab({ project, vpc }: Props) {
  const { data: seen } = useSuspenseQuery({
    ...firewallRules(project, vpc),
    refetchInterval: usePolling(pollMs),
  })
  const rules = useMemo(() => byPriority(seen.rules), [seen.rules])
  const [reordering, setReordering] = useState<SeenRules>()
  const reorderButton = useRef<HTMLButtonElement>(null)
  const [selection] = useState(createSelection)
  const whyNotAllowed = useWhyNotNetworks(project)
  const whyNoMore = whyNotAllowed ?? whyNoMoreRules(rules)
  useLayoutEffect(() => selection.show(rules.map(({ name }) => name)), [selection, rules])

  useListPalette({
    kind: 'firewall rule',
    create: whyNoMore ? undefined : { label: 'New rule', link: newFirewallRuleLink(project, vpc) },
    rows: rules,
    rowEntry: ({ name }) => ({ label: name, link: firewallRuleLink(project, vpc, name), over: true }),
  })

  if (reordering)
    return (
      <>
        <ReorderRules
          project={project}
          vpc={vpc}
          seen={reordering}
          onClose={() => {
            flushSync(() => setReordering(undefined))
            reorderButton.current?.focus()
          }}
        />
        <ConflictSlot />
      </>
    )
  return (
    <>
      {rules.length === 0 && (
        <div className="mb-3 flex justify-end">
          <PastLink project={project} kind="vpc-firewall-rule" vpc={vpc} />
        </div>
      )}
      {rules.length > 0 && (
        <Toolbar {...{ project, vpc, seen, selection, whyNotAllowed }}>
          <Button
            ref={reorderButton}
            disabledReason={whyNotAllowed ?? (rules.length < 2 ? 'There is only one rule' : undefined)}
            onClick={() => setReordering(seen)}
          >
            <ArrowUpDown aria-hidden strokeWidth={1.75} className="-ml-0.5 size-4" />
            Reorder
          </Button>
          <PastLink project={project} kind="vpc-firewall-rule" vpc={vpc} />
          <NewLink link={newFirewallRuleLink(project, vpc)} disabled={whyNoMore}>
            New rule
          </NewLink>
        </Toolbar>
      )}
      <RulesTable
        project={project}
        vpc={vpc}
        seen={seen}
        rules={rules}
        selection={selection}
        whyNotAllowed={whyNotAllowed}
        whyNoMore={whyNoMore}
      />
      <FirewallPanels project={project} vpc={vpc} />
      <ConflictSlot />
    </>
  )
}

interface ToolbarProps extends Props {
  seen: SeenRules
  selection: Selection
  whyNotAllowed: string | undefined
  children: React.ReactNode
}

/** The list's actions, or those for the selected rules. */
function Toolbar({ selection, children, ...props }: ToolbarProps) {
  const hasSelection = useSyncExternalStore(selection.subscribe, () => selection.extent() !== 'none')
  return (
    <div className="mb-3 flex min-h-control flex-wrap items-center gap-2">
      {hasSelection ? (
        <SelectedRules {...props} selection={selection} />
      ) : (
        <>
          <p className="grow text-muted">
            Rules are evaluated from the lowest priority number. The first match decides.
          </p>
          <ToPanels project={props.project} vpc={props.vpc} />
          {children}
        </>
      )}
    </div>
  )
}

/** Skips a long list to the panels with the rules' effect. */
function ToPanels({ project, vpc }: Props) {
  if (!useCanCheck(project, vpc)) return null
  return <Button onClick={goToPanels}>Check rules</Button>
}

interface TableProps extends Props {
  seen: SeenRules
  rules: readonly FirewallRule[]
  selection: Selection
  whyNotAllowed: string | undefined
  whyNoMore: string | undefined
}

function RulesTable({ project, vpc, seen, rules, selection, whyNotAllowed, whyNoMore }: TableProps) {
  const save = useSaveRules(project, vpc)
  const columns = useMemo(() => columnsIn(project, vpc, selection), [project, vpc, selection])
  const touched = useTouched(rules)
  return (
    <Table
      tight
      label="Firewall rules"
      columns={columns}
      rows={rules}
      rowKey={nameOf}
      changedKeys={touched}
      actions={({ id, name }) =>
        rowMenu(id, 'Copy ID', [
          {
            label: 'Edit',
            icon: <Pencil aria-hidden strokeWidth={1.75} />,
            disabled: whyNotAllowed,
            link: firewallRuleLink(project, vpc, name),
            over: true,
          },
          {
            label: 'Clone',
            icon: <CopyPlus aria-hidden strokeWidth={1.75} />,
            disabled: whyNoMore,
            link: newFirewallRuleLink(project, vpc, name),
            over: true,
          },
          {
            label: 'Delete',
            disabled: whyNotAllowed,
            onSelect: () =>
              confirmDelete({
                kind: 'firewall rule',
                name,
                gone: 'From now on, the remaining rules decide on its traffic.',
                hasOwnMessage: true,
                isPlanned: true,
                run: async (send) =>
                  saySaved(
                    savedMessage(
                      successMessage('Firewall rule', name, 'deleted'),
                      await save(seen, [{ was: name }], send),
                    ),
                  ),
              }),
          },
        ])
      }
      empty={
        <EmptyState
          title="No firewall rules"
          action={
            <NewLink kind="default" link={newFirewallRuleLink(project, vpc)} disabled={whyNotAllowed}>
              New rule
            </NewLink>
          }
        >
          Create a rule to see it here. Without rules, inbound traffic is denied and outbound traffic is
          allowed.
        </EmptyState>
      }
    />
  )
}

const nameOf = ({ name }: FirewallRule): string => name

function columnsIn(project: string, vpc: string, selection: Selection): Column<FirewallRule>[] {
  const boxes = selectColumn<{ id: string; name: string }>(selection)
  return [
    // Saving gives all rules new ids, so the selection holds names.
    { ...boxes, cell: ({ name }) => boxes.cell({ id: name, name }) },
    {
      id: 'name',
      header: 'Name',
      part: 'name',
      cell: ({ name }) => (
        <PageLink {...firewallRuleLink(project, vpc, name)} over className="name">
          {name}
        </PageLink>
      ),
    },
    { id: 'priority', header: 'Priority', align: 'right', cell: ({ priority }) => priority },
    ...ruleColumns<FirewallRule>((rule) => rule),
    createdColumn<FirewallRule>(),
  ]
}
