import * as op from '@gantry/api/client/operations.gen'
import { noBackupTarget } from '@gantry/api/backups/backup-place.rules'
import { keepLevels, keepMax, keepProblem } from '@gantry/api/schedules/keep.rules'
import {
  actedOn,
  copyNoun,
  makesCopies,
  nextTimes,
  type ScheduleAction,
  scheduleActions,
  scheduleActionWords,
  scheduleLimits,
  weekdays,
} from '@gantry/api/schedules/schedule.rules'
import { isTimeZone } from '@gantry/api/schedules/times.rules'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useWatch } from 'react-hook-form'
import { useWhyNotInProject } from '#/data/permissions.ts'
import { useOp } from '#/data/use-op.ts'
import { backupPlaces } from '#/features/backups/queries.ts'
import { choicesOf } from '#/kit/list/choices-of.ts'
import { type Offered, useOffered } from '#/kit/list/use-offered.ts'
import { offeredDisks } from '#/features/disks/queries.ts'
import { offeredInstances } from '#/features/instances/queries.ts'
import { CheckboxField, ChoiceField, NumberField, RadioField } from '#/kit/forms/choice-fields.tsx'
import { DescriptionField, NameField, TextField, useFormField } from '#/kit/forms/fields.tsx'
import { CreateForm, EditForm } from '#/kit/forms/KindForms.tsx'
import { Checkbox } from '#/ui/inputs/Checkbox.tsx'
import { Combobox } from '#/ui/inputs/Combobox.tsx'
import { Field } from '#/ui/inputs/Field.tsx'
import { Note } from '#/ui/feedback/Note.tsx'
import { MiniTable } from '#/ui/data/MiniTable.tsx'
import { sentenceCase } from '#/ui/data/format.ts'
import { scheduleLink, schedulesLink } from './links.ts'
import { ZonedTime } from './parts.tsx'
import { scheduleAt, scheduleView } from './queries.ts'
import {
  createBody,
  newValues,
  refusedField,
  type ScheduleValues,
  timingOf,
  updateBody,
  valuesOf,
  whenProblem,
} from './schedule-values.ts'

export function NewSchedule() {
  const { project = '' } = useParams({ strict: false })
  const create = useOp(op.scheduleCreate, { seeds: ({ name }) => scheduleView(project, name) })
  return (
    <CreateForm
      kind="schedule"
      pageOf={({ name }) => scheduleLink(project, name)}
      context={`In project ${project}`}
      initial={newValues(ownZone())}
      save={(values, send) => create.run({ query: { project }, body: createBody(values) }, send)}
      fieldOf={refusedField}
      closeTo={schedulesLink(project)}
      disabled={useWhyNotInProject(project)}
    >
      <ScheduleFields project={project} isNew />
    </CreateForm>
  )
}

export function EditSchedule() {
  const { project = '', schedule: name = '' } = useParams({ strict: false })
  const view = scheduleView(project, name)
  const navigate = useNavigate()
  const { data: schedule } = useSuspenseQuery(view)
  const update = useOp(op.scheduleUpdate, { sees: view, seeds: (saved) => scheduleView(project, saved.name) })
  const initial = valuesOf(schedule)
  return (
    <EditForm
      kind="schedule"
      pageOf={(saved) => scheduleLink(project, saved.name)}
      initial={initial}
      save={(values, send) =>
        update.run({ ...scheduleAt(project, name), body: updateBody(initial, values) }, send)
      }
      onSaved={(saved) =>
        void navigate({ ...scheduleLink(project, saved.name), replace: true, resetScroll: false })
      }
      fieldOf={refusedField}
      closeTo={scheduleLink(project, name)}
      disabled={useWhyNotInProject(project)}
    >
      <ScheduleFields project={project} />
    </EditForm>
  )
}

const ownZone = (): string => {
  const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone
  return isTimeZone(zone) ? zone : 'UTC'
}

const actions = scheduleActions.map((value) => ({ value, label: scheduleActionWords[value] }))
const everies = [
  { value: 'hourly', label: 'Every hour' },
  { value: 'daily', label: 'Every day' },
  { value: 'weekly', label: 'On some weekdays' },
  { value: 'cron', label: 'By a line of cron' },
] as const

function useValue<Name extends keyof ScheduleValues>(name: Name): ScheduleValues[Name] {
  return useWatch<ScheduleValues, Name>({ name })
}

/** The fields of both forms. What a schedule does is set when it is created. */
function ScheduleFields({ project, isNew = false }: { project: string; isNew?: boolean }) {
  const action = useValue('action')
  const which = useValue('which')
  const noun = actedOn[action]
  return (
    <>
      <NameField name="name" />
      <DescriptionField name="description" />
      {isNew && <RadioField name="action" label="What it does" options={actions} column />}
      <RadioField
        name="which"
        label={`Which ${noun}s`}
        options={[
          { value: 'objects', label: 'Selected ones' },
          { value: 'filter', label: 'All that match a filter' },
        ]}
      />
      {which === 'objects' ? (
        <ObjectsField key={noun} project={project} action={action} />
      ) : (
        <TextField
          name="filter"
          mono
          optional
          hint={`As above a list, for example tag:env=prod. It is read anew at each run; empty, it matches all ${noun}s.`}
        />
      )}
      <TimingFields />
      {action === 'back_up' && <TargetField project={project} />}
      {makesCopies(action) && <KeepFields noun={copyNoun(action)} of={noun} />}
      <CheckboxField name="isEnabled">Enabled</CheckboxField>
      <NextRuns />
    </>
  )
}

function ObjectsField({ project, action }: { project: string; action: ScheduleAction }) {
  const noun = actedOn[action]
  const disks = useOffered(offeredDisks(project), noun === 'disk')
  const instances = useOffered(offeredInstances(project), noun === 'instance')
  const offered: Offered<{ name: string }> = noun === 'disk' ? disks : instances
  const { data } = offered
  const known = new Set(data?.map(({ name }) => name))
  const { ref, value, onChange, onBlur, error } = useFormField<string[]>('objects', (names) =>
    names.length === 0 ? `Select at least one ${noun}` : undefined,
  )
  // Names of the other kind stay in the form for when it is selected again, and are neither shown nor sent.
  const chosen = data && !offered.onSearch ? value.filter((name) => known.has(name)) : value
  const free = (data ?? []).filter(
    (one) => !chosen.includes(one.name) && !('readOnly' in one && one.readOnly),
  )
  return (
    <Field label={`${sentenceCase(noun)}s`} error={error}>
      <Combobox
        ref={ref}
        name="objects"
        value=""
        placeholder={noun === 'disk' ? 'Add a disk' : 'Add an instance'}
        {...choicesOf(offered)}
        options={free.map(({ name }) => ({ value: name, label: name }))}
        disabled={chosen.length >= scheduleLimits.objects}
        onChange={(name) => onChange([...chosen, name])}
        onBlur={onBlur}
      />
      <MiniTable
        label={`Selected ${noun}s`}
        columns={[{ header: 'Name', cell: (name: string) => name }]}
        items={chosen}
        itemKey={(name) => name}
        removeLabel={(name) => `Remove ${name}`}
        onRemove={(name) => onChange(chosen.filter((one) => one !== name))}
      />
    </Field>
  )
}

function TimingFields() {
  const every = useValue('every')
  const zones = useMemo(() => zoneOptions(), [])
  return (
    <>
      <RadioField name="every" label="When" options={everies} column />
      {every === 'hourly' && <NumberField name="minute" label="Minute of the hour" max={59} />}
      {every === 'weekly' && <DaysField />}
      {(every === 'daily' || every === 'weekly') && (
        <TextField
          name="at"
          label="Time of day"
          hint="For example 03:30"
          problem={(at) => problemAt({ at })}
        />
      )}
      {every === 'cron' && (
        <TextField
          name="cron"
          label="Cron"
          mono
          hint="Minute, hour, day of the month, month, weekday. At least 5 minutes apart."
          problem={(cron) => problemAt({ every: 'cron', cron })}
        />
      )}
      <ChoiceField name="zone" label="Time zone" options={zones} />
    </>
  )
}

const problemAt = (part: Partial<ScheduleValues>): string | undefined =>
  whenProblem({ ...newValues('UTC'), every: 'daily', ...part })

function zoneOptions() {
  const zones = new Set(['UTC', ownZone(), ...Intl.supportedValuesOf('timeZone')])
  return [...zones].map((zone) => ({ value: zone, label: zone }))
}

function DaysField() {
  const { value, onChange, error } = useFormField<number[]>('days', (days) =>
    days.length === 0 ? 'Select at least one day' : undefined,
  )
  return (
    <Field group label="Days" error={error}>
      <div className="flex flex-wrap gap-x-4">
        {weekdays.map((label, day) => (
          <Checkbox
            key={label}
            checked={value.includes(day)}
            onChange={({ target }) =>
              onChange(target.checked ? [...value, day] : value.filter((one) => one !== day))
            }
          >
            {label}
          </Checkbox>
        ))}
      </div>
    </Field>
  )
}

const levelWords = { hourly: 'hours', daily: 'days', weekly: 'weeks', monthly: 'months' } as const

/** Where backups are written. An operator adds the targets. */
function TargetField({ project }: { project: string }) {
  const { data, isLoading } = useQuery(backupPlaces(project))
  const places = data?.items ?? []
  const first = places.find(({ isDefault }) => isDefault)
  return (
    <>
      <ChoiceField
        name="target"
        label="Target"
        loading={isLoading}
        options={[
          {
            value: 'default',
            label: 'The default target',
            detail: first ? `Now ${first.name}` : 'There is none now',
          },
          ...places.map(({ id, name }) => ({ value: id, label: name })),
        ]}
      />
      {data && places.length === 0 && (
        <Note kind="busy" title="There is no place for backups">
          {`Runs fail until there is one. ${noBackupTarget}`}
        </Note>
      )}
    </>
  )
}

function KeepFields({ noun, of }: { noun: string; of: string }) {
  const keepsAll = useValue('keepsAll')
  const keep = useValue('keep')
  const problem = keepProblem({
    hourly: keep.hourly ?? 0,
    daily: keep.daily ?? 0,
    weekly: keep.weekly ?? 0,
    monthly: keep.monthly ?? 0,
  })
  return (
    <>
      <RadioField
        name="keepsAll"
        label={`Old ${noun}s`}
        options={[
          { value: 'rule', label: 'Delete by a rule' },
          { value: 'all', label: 'Keep all' },
        ]}
      />
      {keepsAll === 'rule' && (
        <>
          <p className="text-sm text-muted">
            {`Of each ${of}, the last ${noun} of so many hours, days, weeks and months stays. Only ${noun}s that this schedule made are deleted, and never the last good one.`}
          </p>
          <div className="grid grid-cols-2 gap-3">
            {keepLevels.map((level) => (
              <NumberField
                key={level}
                name={`keep.${level}`}
                label={sentenceCase(levelWords[level])}
                max={keepMax}
                problem={level === 'hourly' ? () => problem : undefined}
              />
            ))}
          </div>
        </>
      )}
    </>
  )
}

/** The next runs of what the form says now. */
function NextRuns() {
  const values = useWatch<ScheduleValues>() as ScheduleValues
  const { isEnabled, zone } = values
  // When the form was opened: it is not open long enough for a run to pass unnoticed.
  const [now] = useState(() => Date.now())
  const isReadable = whenProblem(values) === undefined && isTimeZone(zone)
  return (
    <section
      aria-label="Next runs"
      aria-live="polite"
      className="rounded-block border border-line px-3.5 py-2.5 text-sm"
    >
      <h3 className="font-medium text-strong">Next runs</h3>
      {!isEnabled ? (
        <p className="text-muted">None, because the schedule is disabled.</p>
      ) : !isReadable ? (
        <p className="text-muted">Complete the times to see them.</p>
      ) : (
        <ul className="tabular-nums">
          {nextTimes(timingOf(values), zone, now).map((time) => (
            <li key={time}>
              <ZonedTime value={new Date(time)} zone={zone} />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
