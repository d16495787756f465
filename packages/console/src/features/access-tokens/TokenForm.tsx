import type { InputOf, OutputOf } from '@gantry/api/client/client'
import type { Send } from '#/data/client.ts'
import { tokenSecondsDefault } from '@gantry/api/people/device.rules'
import {
  tokenLimits,
  tokenNameProblem,
  type TokenPower,
  tokenPowers,
  tokenPowerWords,
} from '@gantry/api/people/token-scope.rules'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import { CheckboxField, NumberField, RadioField } from '#/kit/forms/choice-fields.tsx'
import { DescriptionField, TextField } from '#/kit/forms/fields.tsx'
import { PageForm } from '#/kit/forms/PageForm.tsx'
import type { LinkTarget } from '#/kit/links/link-target.ts'
import { Field } from '#/ui/inputs/Field.tsx'
import { lazyPart } from '#/ui/lazy-part.tsx'
import { lifetimeOf, lifetimeProblem, lifetimeText, type LifetimeUnit, secondsOf } from './lifetime.ts'
import { authSettings } from './queries.ts'
import { UnitField } from './UnitField.tsx'

const TokenMadeDialog = lazyPart(() => import('./TokenMadeDialog.tsx'), 'TokenMadeDialog')

interface Values {
  name: string
  description: string
  amount: number | null
  unit: LifetimeUnit
  where: 'all' | 'some'
  /** By their place in the list, because names of fields have no dots. */
  projects: boolean[]
  powers: Record<TokenPower, boolean>
}

type Created = OutputOf<'accessTokenCreate'>

interface Props {
  /** For what such a token is. */
  intro: string
  /** `I` or `it`: whose rights a token has a part of. */
  whose: 'I' | 'it'
  /** Projects to which it can be limited; none where it has only one. */
  projects: readonly { id: string; name: string }[]
  /** A project for the example that is shown with the token, if it sees no others. */
  example?: string
  create: (body: InputOf<'accessTokenCreate'>['body'], send?: Send) => Promise<Created>
  listLink: LinkTarget
  disabled?: string | undefined
}

/** Makes a token for scripts, which may do a part of what its user may, and shows it once. */
export function TokenForm({ intro, whose, projects, example, create, listLink, disabled }: Props) {
  const navigate = useNavigate()
  const { data: settings } = useSuspenseQuery(authSettings)
  const [made, setMade] = useState<Created>()
  const most = settings.deviceTokenMaxTtlSeconds ?? tokenSecondsDefault
  const initial: Values = {
    name: '',
    description: '',
    ...lifetimeOf(Math.min(most, tokenSecondsDefault)),
    where: 'all',
    projects: projects.map(() => false),
    powers: Object.fromEntries(tokenPowers.map((power) => [power, power === 'read'])) as Values['powers'],
  }
  const chosenIn = (values: Values) => projects.filter((_, index) => values.projects[index])
  const placeText = projects.length === 0 ? 'in its project' : `wherever ${whose === 'I' ? 'you' : 'it'} may`
  return (
    <>
      <PageForm<Values, Created>
        title="New access token"
        submitLabel="Create token"
        pendingLabel="Creating token"
        cancelTo={listLink}
        initial={initial}
        check={(values) => {
          const problem = lifetimeProblem(values.amount, values.unit)
          const seconds = secondsOf({ amount: values.amount ?? 0, unit: values.unit })
          if (problem) return { amount: problem }
          if (seconds > most) return { amount: `This silo allows ${lifetimeText(most)} at most` }
          if (seconds < tokenLimits.secondsMin)
            return { amount: `Must be at least ${lifetimeText(tokenLimits.secondsMin)}` }
          return {}
        }}
        whyNotYet={(values) => {
          if (!tokenPowers.some((power) => values.powers[power])) return 'Choose what the token may do'
          if (values.where === 'some' && chosenIn(values).length === 0) return 'Choose at least one project'
          return undefined
        }}
        save={(values, send) =>
          create(
            {
              name: values.name,
              ...(values.description && { description: values.description }),
              ttlSeconds: secondsOf({ amount: values.amount ?? 0, unit: values.unit }),
              powers: tokenPowers.filter((power) => values.powers[power]),
              ...(values.where === 'some' && { projects: chosenIn(values).map(({ id }) => id) }),
            },
            send,
          )
        }
        onSaved={setMade}
        summary={(values) => summary(values, placeText)}
        disabled={disabled}
      >
        <div className="max-w-form space-y-5.5">
          <p className="text-muted">{intro}</p>
          <TextField name="name" problem={tokenNameProblem} />
          <DescriptionField name="description" />
          <div className="space-y-1.5">
            <div className="flex flex-wrap items-start gap-3">
              <NumberField name="amount" label="Expires after" min={1} />
              <UnitField />
            </div>
            <p className="text-sm text-muted">This silo allows {lifetimeText(most)} at most.</p>
          </div>
          {projects.length > 0 && (
            <>
              <RadioField
                name="where"
                label="Where"
                hint={`Never more than ${whose === 'I' ? 'you may do yourself' : 'the service account may do'}.`}
                options={[
                  { value: 'all', label: `Wherever ${whose} may` },
                  { value: 'some', label: 'Some projects' },
                ]}
              />
              <Projects names={projects.map(({ name }) => name)} />
            </>
          )}
          <Field group label="What">
            <div className="grid gap-2.5">
              {tokenPowers.map((power) => (
                <CheckboxField key={power} name={`powers.${power}`}>
                  {tokenPowerWords[power].label}
                  <span className="block text-sm text-muted">{tokenPowerWords[power].detail}</span>
                </CheckboxField>
              ))}
            </div>
          </Field>
        </div>
      </PageForm>
      {made && (
        <TokenMadeDialog
          name={made.details.name ?? ''}
          token={made.token}
          project={exampleOf(made, example === undefined ? projects : [{ name: example }])}
          onClose={() => void navigate(listLink)}
        />
      )}
    </>
  )
}

const exampleOf = (
  { details: { scope } }: Created,
  projects: readonly { name: string }[],
): string | undefined =>
  scope?.powers.includes('read') ? ((scope.projects ?? projects)[0]?.name ?? undefined) : undefined

function Projects({ names }: { names: readonly string[] }) {
  const where = useWatch({ name: 'where' }) as Values['where']
  if (where === 'all') return null
  return (
    <Field group label="Projects">
      <div className="grid max-h-64 gap-2 overflow-y-auto rounded-control border border-line p-3">
        {names.map((name, index) => (
          <CheckboxField key={name} name={`projects.${index}`}>
            {name}
          </CheckboxField>
        ))}
      </div>
    </Field>
  )
}

function summary({ powers, where, projects }: Values, everywhere: string): string {
  const chosen = tokenPowers.filter((power) => powers[power])
  const count = projects.filter(Boolean).length
  const place = where === 'all' ? everywhere : `in ${count} ${count === 1 ? 'project' : 'projects'}`
  return chosen.length === 0
    ? 'May do nothing yet'
    : `May do ${chosen.length} of ${tokenPowers.length} things, ${place}`
}
