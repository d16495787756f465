import { Note } from '#/ui/feedback/Note.tsx'
import { changedRule } from '../rule-change.ts'
import type { Rule } from '../rule.ts'
import type { SeenRules } from '../save.ts'
import { valuesOf } from './rule-values.ts'
import { RuleForm } from './RuleForm.tsx'

interface Props {
  project: string
  vpc: string
  seen: SeenRules
  was: string
  rule: Rule
  change: string
}

/** A rule's form with the change of a link entered, which only submitting saves. */
export function ChangedRuleForm({ rule, change, ...opened }: Props) {
  const changed = changedRule(rule, change)
  return (
    <RuleForm
      {...opened}
      initial={valuesOf(changed?.rule ?? rule)}
      note={changed && <Note kind="busy">{changed.text} Nothing is saved until you update the rule.</Note>}
    />
  )
}
