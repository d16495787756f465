import { useSyncExternalStore } from 'react'
import { Button } from '#/ui/Button.tsx'
import { formatCount } from '#/ui/data/format-amounts.ts'
import { saySaved } from '#/kit/feedback/undo.tsx'
import { confirmAction } from '#/kit/feedback/confirm.tsx'
import { SelectedNames, SelectionBar } from '#/kit/list/SelectBoxes.tsx'
import type { Selection } from '#/kit/list/selection.ts'
import type { RuleChange } from './merge.ts'
import { type FirewallRule, ruleOf } from './rule.ts'
import type { SeenRules } from './save.ts'
import { savedMessage, useSaveRules } from './use-save-rules.tsx'

interface Props {
  project: string
  vpc: string
  seen: SeenRules
  /** Of rule names. */
  selection: Selection
  whyNotAllowed: string | undefined
}

interface Action {
  verb: string
  doing: string
  done: string
  isDone: (rule: FirewallRule) => boolean
  /** Why the action applies to none of the selected rules. */
  whyNone: string
  change: (rule: FirewallRule) => RuleChange
  extra?: string
}

const withStatus = (status: FirewallRule['status']) => (rule: FirewallRule) => ({
  was: rule.name,
  rule: { ...ruleOf(rule), status },
})

const actions: readonly Action[] = [
  {
    verb: 'Enable',
    doing: 'Enabling',
    done: 'enabled',
    isDone: ({ status }) => status === 'enabled',
    whyNone: 'They are already enabled',
    change: withStatus('enabled'),
  },
  {
    verb: 'Disable',
    doing: 'Disabling',
    done: 'disabled',
    isDone: ({ status }) => status === 'disabled',
    whyNone: 'They are already disabled',
    change: withStatus('disabled'),
    extra: 'Disabled rules stay in the list but are not evaluated.',
  },
  {
    verb: 'Delete',
    doing: 'Deleting',
    done: 'deleted',
    isDone: () => false,
    whyNone: '',
    change: ({ name }) => ({ was: name }),
  },
]

/** Actions for the selected rules. Each is one change of the list, whatever the number of rules. */
export function SelectedRules({ project, vpc, seen, selection, whyNotAllowed }: Props) {
  const names = useSyncExternalStore(selection.subscribe, selection.ids)
  const save = useSaveRules(project, vpc)
  const selected = seen.rules.filter(({ name }) => names.includes(name))

  const ask = ({ verb, doing, done, change, extra }: Action, eligible: readonly FirewallRule[]) => {
    const count = formatCount(eligible.length, 'firewall rule')
    confirmAction({
      title: `Confirm ${verb.toLowerCase()} ${count}`,
      content: (
        <>
          <p>
            Are you sure you want to {verb.toLowerCase()}{' '}
            <SelectedNames names={eligible.map(({ name }) => name)} />?
          </p>
          {extra && <p>{extra}</p>}
        </>
      ),
      kind: verb === 'Enable' ? 'primary' : 'danger',
      pendingLabel: doing,
      errorTitle: `Could not ${verb.toLowerCase()} ${count}`,
      isPlanned: true,
      run: async (_isForGood, send) => {
        const saved = await save(seen, eligible.map(change), send)
        const made = formatCount(eligible.length - saved.dropped.length, 'firewall rule')
        saySaved(savedMessage(`${made} ${done}`, saved))
        selection.clear()
      },
    })
  }

  return (
    <SelectionBar label="Selected rules" selection={selection}>
      {actions.map((action) => {
        const eligible = selected.filter((rule) => !action.isDone(rule))
        const isForSome = eligible.length > 0 && eligible.length < selected.length
        return (
          <Button
            key={action.verb}
            disabledReason={whyNotAllowed ?? (eligible.length === 0 ? action.whyNone : undefined)}
            onClick={() => ask(action, eligible)}
          >
            {isForSome ? `${action.verb} ${eligible.length} of ${selected.length}` : action.verb}
          </Button>
        )
      })}
    </SelectionBar>
  )
}
