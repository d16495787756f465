import CircleDot from 'lucide-react/icons/circle-dot'
import FileCode from 'lucide-react/icons/file-code'
import { useState } from 'react'
import { discardRecording, readRecording, resumeRecording, stepRecording } from '#/data/recording/recorder.ts'
import { recordingLabels } from '#/data/recording/labels.ts'
import { recording } from '#/data/recording/recording.ts'
import { CodeDialog } from '#/kit/code/CodeDialog.tsx'
import { planFileOf } from '#/kit/code/plan-file.ts'
import { type ScriptLanguage, scriptLanguages, scriptOf } from '#/kit/code/script.ts'
import { useStore } from '#/store.ts'
import { Button } from '#/ui/Button.tsx'
import { Tooltip } from '#/ui/overlays/Tooltip.tsx'
import { saveFile } from '#/ui/save-file.ts'
import { PlanDialog } from './PlanDialog.tsx'
import { openPlan, planRun } from './plan-run.ts'

/** The mark in the beam while this tab records, or keeps what it recorded; and that as code. */
export function Recorder() {
  const state = useStore(recording)
  const isOn = state === 'on'
  const Icon = isOn ? CircleDot : FileCode
  return (
    <>
      <Tooltip
        content={isOn ? 'What you change in this tab is recorded. Press to stop.' : recordingLabels.stopped}
      >
        <button
          type="button"
          aria-label={recordingLabels[state]}
          className="wash flex h-8 items-center gap-1.5 rounded-control px-2 text-sm coarse:h-11 max-md:size-11 max-md:justify-center max-md:p-0"
          onClick={stepRecording}
        >
          <Icon aria-hidden strokeWidth={1.75} className={`size-4 ${isOn ? 'text-danger' : ''}`} />
          <span className="max-md:sr-only">{isOn ? 'Recording' : 'Recorded'}</span>
        </button>
      </Tooltip>
      {state === 'shown' && <Result />}
    </>
  )
}

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

/** What was recorded. Closing keeps it until it is discarded. */
function Result() {
  const [{ steps, known, missing }] = useState(readRecording)
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
  const count = steps.length === 1 ? '1 request' : `${steps.length} requests`
  if (isPlanOpen) return <PlanDialog onClose={() => recording.set('stopped')} />
  return (
    <CodeDialog
      title={`Recorded: ${count}`}
      languages={forms}
      language={language}
      onChoose={choose}
      code={code}
      empty="Nothing was changed while this tab recorded."
      note={`${missing > 0 ? `The recording was full: ${missing} more requests are not in it. ` : ''}${notes[language]}`}
      buttons={
        <>
          <Button size="lg" kind="quiet" className="mr-auto" onClick={discardRecording}>
            Discard
          </Button>
          <Button size="lg" onClick={resumeRecording}>
            Continue recording
          </Button>
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
      onClose={() => recording.set('stopped')}
    />
  )
}
