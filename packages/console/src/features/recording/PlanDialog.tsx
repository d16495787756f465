// @chunk recorder: of a recording, which few users begin.
import { snakeKey } from '@gantry/api/client/camel'
import { commandOf } from '@gantry/api/client/command-names.rules'
import { isPlannable } from '@gantry/api/history/plan.rules'
import { useState } from 'react'
import { asFailure, type Failure } from '#/data/failure.ts'
import {
  filled,
  isRequest,
  namesIn,
  type PlanRequest,
  type PlanStep,
  projectsOf,
  secretsOf,
} from '#/kit/code/plan-file.ts'
import { failureText } from '#/kit/feedback/failure-text.ts'
import { refusalLinks } from '#/kit/feedback/refusal-links.tsx'
import { kindWord } from '#/kit/page/stored-values.ts'
import { askPlan } from '#/kit/plan/ask-plan.ts'
import { Effects } from '#/kit/plan/Foreseen.tsx'
import type { Plan } from '#/kit/plan/plan.ts'
import { useStore } from '#/store.ts'
import { Button } from '#/ui/Button.tsx'
import { sentenceCase } from '#/ui/data/format.ts'
import { type StateFamily, StateMark } from '#/ui/data/StatePlate.tsx'
import { ErrorNote, Note } from '#/ui/feedback/Note.tsx'
import { Field } from '#/ui/inputs/Field.tsx'
import { PasswordInput } from '#/ui/inputs/PasswordInput.tsx'
import { TextInput } from '#/ui/inputs/TextInput.tsx'
import { Dialog } from '#/ui/overlays/Dialog.tsx'
import { closePlan, give, type PlanRun, planRun, runPlan, sentBy, skipStep, stopPlan } from './plan-run.ts'

/** Requests in their order: what they will do, and how far they are. */
export function PlanDialog({ onClose }: { onClose: () => void }) {
  const run = useStore(planRun)
  if (!run) return null
  const { plan, done, state } = run
  const isBusy = state === 'running' || state === 'stopping'
  const close = () => {
    // Nothing closes unseen while requests are sent.
    if (isBusy) return stopPlan()
    if (state === 'finished' || done === 0) closePlan()
    onClose()
  }
  const missing = secretsOf(plan).filter((name) => !run.given.secrets[name])
  return (
    <Dialog
      title={`Plan: ${plan.steps.length === 1 ? '1 step' : `${plan.steps.length} steps`}`}
      width="free"
      onRequestClose={close}
      footer={
        <>
          {(state === 'stopped' || state === 'left') && (
            <Button size="lg" kind="quiet" className="mr-auto" onClick={skipStep}>
              Skip step {done + 1}
            </Button>
          )}
          <Button size="lg" onClick={close} disabledReason={state === 'stopping' ? 'Stopping' : undefined}>
            {isBusy ? 'Stop' : 'Close'}
          </Button>
          {state !== 'finished' && (
            <Button
              size="lg"
              kind="primary"
              pending={isBusy}
              disabledReason={missing.length > 0 ? `Give ${missing.join(', ')} first` : undefined}
              onClick={() => void runPlan()}
            >
              {state === 'ready' ? 'Run plan' : `Continue from step ${done + 1}`}
            </Button>
          )}
        </>
      }
    >
      <div className="max-w-full space-y-3" style={{ width: '44rem' }}>
        <Standing run={run} />
        {state === 'ready' && <GivenFields run={run} />}
        <ol className="text-sm" aria-label="Steps">
          {plan.steps.map((step, index) => (
            // Steps never move.
            // oxlint-disable-next-line react/no-array-index-key
            <Step key={index} step={step} number={index + 1} run={run} />
          ))}
        </ol>
      </div>
    </Dialog>
  )
}

/** Where the plan is, and why it stopped. */
function Standing({ run: { plan, done, state, failure } }: { run: PlanRun }) {
  const step = plan.steps[done]
  const words = step && isRequest(step) ? `Step ${done + 1}, ${sentenceOf(step)}` : `Step ${done + 1}`
  if (state === 'finished')
    return (
      <Note title="The plan has run">
        <p>
          {plan.steps.length === 1
            ? 'Its step is done.'
            : `All ${plan.steps.length} steps are done or skipped.`}
        </p>
      </Note>
    )
  if (state === 'left')
    return (
      <Note kind="busy" title={`The page was left during step ${done + 1}`}>
        <p>Whether it succeeded is not known. Look first: continue if it did not, and skip it if it did.</p>
      </Note>
    )
  if (state === 'running' && failure)
    return (
      <Note kind="busy" title={`${words}, is refused for now`}>
        <p>{`${failureText(failure)} It is sent again for about a minute: the work of an earlier step may be in progress.`}</p>
      </Note>
    )
  if (state === 'stopped' && failure)
    return (
      <>
        <ErrorNote title={`${words}, was refused`} errors={[failureText(failure)]} />
        {refusalLinks([failure])}
      </>
    )
  if (state === 'stopped') return <Note title={`Stopped before step ${done + 1}`} />
  return (
    <p className="text-sm text-muted">
      {state === 'ready'
        ? 'The steps are sent one after the other, with your own rights, and end at the first that is refused. What was done until then stays.'
        : 'Keep this page open until the plan is done.'}
    </p>
  )
}

/** What may be another one here than where it was recorded. */
function GivenFields({ run: { plan, given } }: { run: PlanRun }) {
  const projects = projectsOf(plan)
  const secrets = secretsOf(plan)
  return (
    <>
      {plan.server !== location.origin && (
        <Note title="Recorded on another server">
          <p>{`${plan.server}. Names of objects and projects must be those of this server.`}</p>
        </Note>
      )}
      {projects.map((name) => (
        <Field
          key={name}
          label={`Project ${name}`}
          hint="The steps do the same in the project that you name."
        >
          <TextInput
            value={given.projects[name] ?? name}
            onChange={({ target }) => give({ projects: { ...given.projects, [name]: target.value.trim() } })}
          />
        </Field>
      ))}
      {plan.ids.map(({ name, about }) => (
        <Field key={name} label={`Id: ${about}`} hint="Nothing finds it by its name on another server.">
          <TextInput
            mono
            value={given.ids[name] ?? ''}
            onChange={({ target }) => give({ ids: { ...given.ids, [name]: target.value.trim() } })}
          />
        </Field>
      ))}
      {secrets.map((name) => (
        <Field key={name} label={name} hint="Secrets are not recorded.">
          <PasswordInput
            name={name}
            autoComplete="new-password"
            value={given.secrets[name] ?? ''}
            onChange={(value) => give({ secrets: { ...given.secrets, [name]: value } })}
          />
        </Field>
      ))}
    </>
  )
}

interface StepProps {
  step: PlanStep
  number: number
  run: PlanRun
}

function Step({ step, number, run }: StepProps) {
  const family = familyOf(number, run)
  return (
    <li className="grid grid-cols-[0.75rem_minmax(0,1fr)] gap-x-2.5 border-b border-faint-line py-2">
      <span className="mt-1">
        <StateMark family={isRequest(step) ? family : 'gone'} />
      </span>
      <div className="min-w-0 wrap-anywhere">
        {isRequest(step) ? (
          <RequestStep step={step} number={number} run={run} />
        ) : (
          <p className="text-muted">{`${number}. ${step.note}`}</p>
        )}
      </div>
    </li>
  )
}

function familyOf(number: number, { done, state, failure }: PlanRun): StateFamily {
  if (number <= done) return 'ok'
  if (number > done + 1 || state === 'ready') return 'idle'
  if (state === 'running' || state === 'stopping') return 'busy'
  return failure ? 'fail' : 'care'
}

function RequestStep({ step, number, run }: StepProps & { step: PlanRequest }) {
  const { given, answers, done } = run
  const now = filled(step, given, answers)
  const isAskable =
    number > done &&
    isPlannable(sentBy(step).op.name) &&
    namesIn(step).every((name) => name in answers || name in given.ids)
  return (
    <>
      <p>
        {`${number}. `}
        <b className="font-medium text-strong">{sentenceOf(now)}</b>
        <span className="text-muted">{placeOf(now)}</span>
        {number <= done && <span className="sr-only">: done</span>}
      </p>
      <details>
        <summary className="text-muted">Request</summary>
        <pre
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls
          tabIndex={0}
          role="region"
          aria-label={`Request of step ${number}`}
          className="overflow-x-auto rounded-control border border-line bg-sunken px-3 py-2.5 font-mono text-[0.8125rem] text-strong"
        >
          {requestText(now, given.secrets)}
        </pre>
        {isAskable && <Ahead step={now} />}
      </details>
    </>
  )
}

/** What the server says that the step would do. */
function Ahead({ step }: { step: PlanRequest }) {
  const [answer, setAnswer] = useState<{ plan: Plan } | { failure: Failure } | 'asked'>()
  const look = async (): Promise<void> => {
    setAnswer('asked')
    const { op, input, options } = sentBy(step)
    try {
      setAnswer({ plan: (await askPlan((send) => send(op, input, options))).plan })
    } catch (error) {
      setAnswer({ failure: asFailure(error) })
    }
  }
  return (
    <div className="grid gap-2 py-2" role="status">
      {typeof answer === 'object' && 'plan' in answer && <Effects plan={answer.plan} />}
      {typeof answer === 'object' && 'failure' in answer && (
        <ErrorNote title="As it is now, this would be refused" errors={[failureText(answer.failure)]} />
      )}
      <div className="flex flex-wrap">
        <Button pending={answer === 'asked'} onClick={() => void look()}>
          What it would do now
        </Button>
      </div>
    </div>
  )
}

/** `Create disk data`, `Attach instance disk web`. */
function sentenceOf({ operation, method, params, body }: PlanRequest): string {
  const { noun, verb } = commandOf(operation)
  const word = method === 'GET' ? 'Find' : sentenceCase(verb.replaceAll('-', ' '))
  const own = (body as { name?: unknown } | undefined)?.name
  const named = Object.values(params).length > 0 ? Object.values(params) : own === undefined ? [] : [own]
  return [word, kindWord(noun), ...named.map(textOf)].join(' ')
}

/** ` in project atlas`. */
function placeOf({ query }: PlanRequest): string {
  const places = ['silo', 'project', 'vpc', 'router', 'instance', 'pool'].filter((key) => key in query)
  return places.length > 0
    ? ` in ${places.map((key) => `${kindWord(snakeKey(key))} ${textOf(query[key])}`).join(', ')}`
    : ''
}

/** What an earlier step gives has words, too. */
const textOf = (value: unknown): string => {
  const [name] = namesIn({ params: { value } } as unknown as PlanRequest)
  return name === undefined ? String(value) : name.replaceAll('_', ' ')
}

function requestText({ method, path, params, query, body, tags }: PlanRequest, secrets: object): string {
  const address = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => textOf(params[name]))
  const search = Object.entries(query).map(([key, value]) => `${key}=${textOf(value)}`)
  const hidden = new Set<unknown>(Object.values(secrets).filter(Boolean))
  const shown = JSON.stringify(body, (_, value: unknown) => (hidden.has(value) ? '••••••••' : value), 2) as
    | string
    | undefined
  return [
    `${method} ${address}${search.length > 0 ? `?${search.join('&')}` : ''}`,
    ...tags.map(({ key, value }) => `tag ${key}=${value}`),
    ...(shown === undefined ? [] : [shown]),
  ].join('\n')
}
