// @chunk recorder: of a recording, which few users begin.
import { type ReactNode, useState } from 'react'
import type { KnownObject, Recorded } from '#/data/recording/recorded.ts'
import { CodeDialog } from '#/kit/code/CodeDialog.tsx'
import { planFileOf } from '#/kit/code/plan-file.ts'
import { type ScriptLanguage, scriptLanguages, scriptOf } from '#/kit/code/script.ts'
import { Button } from '#/ui/Button.tsx'
import { saveFile } from '#/ui/save-file.ts'
import { PlanDialog } from './PlanDialog.tsx'
import { openPlan, planRun } from './plan-run.ts'

const forms = [...scriptLanguages, 'Plan'] as const
type Form = ScriptLanguage | 'Plan'

let last: Form = 'gantry'

const fileNames: Readonly<Record<Form, string>> = {
  Plan: 'recorded-plan.json',
  gantry: 'recorded.sh',
  curl: 'recorded-curl.sh',
  TypeScript: 'recorded.ts',
}

const notes: Readonly<Record<Form, string>> = {
  Plan: 'Run it here or, from its file, in the Plans of another server: each step is shown before it is sent.',
  gantry: 'A script for a shell, with the command line of Gantry.',
  curl: 'A script for a shell, with curl and jq, and an access token in GANTRY_TOKEN.',
  TypeScript: 'With the client library, and an access token in GANTRY_TOKEN.',
}

interface Props {
  title: string
  steps: readonly Recorded[]
  known: Readonly<Record<string, KnownObject>>
  /** Instead of the code, if there are no steps. */
  empty: string
  /** Of the steps, before that of the language. */
  note?: ReactNode
  buttons?: ReactNode
  onClose: () => void
}

/** Requests as a script in one of several languages, or as a plan, to copy, to save and to run. */
export function RecordedDialog({ title, steps, known, empty, note, buttons, onClose }: Props) {
  const [language, setLanguage] = useState(last)
  const [isPlanOpen, setPlanOpen] = useState(false)
  const context = { server: location.origin, known }
  const plan = planFileOf(steps, context)
  const code =
    steps.length === 0
      ? ''
      : language === 'Plan'
        ? `${JSON.stringify(plan, null, 2)}\n`
        : scriptOf(steps, context)[language]
  const choose = (chosen: Form): void => {
    last = chosen
    setLanguage(chosen)
  }
  if (isPlanOpen) return <PlanDialog onClose={onClose} />
  return (
    <CodeDialog
      title={title}
      languages={forms}
      language={language}
      onChoose={choose}
      code={code}
      empty={empty}
      note={
        <>
          {note}
          {notes[language]}
        </>
      }
      buttons={
        <>
          {buttons}
          {code !== '' && language === 'Plan' && (
            <Button
              size="lg"
              onClick={() => {
                if (!planRun.get()) openPlan(plan)
                setPlanOpen(true)
              }}
            >
              Run…
            </Button>
          )}
          {code !== '' && (
            <Button size="lg" onClick={() => saveFile(fileNames[language], new Blob([code]))}>
              Download
            </Button>
          )}
        </>
      }
      onClose={onClose}
    />
  )
}
