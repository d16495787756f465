import { loginMethodView, loginSiloList } from '@gantry/api/client/operations/extension-login.reads.gen'
import { nameFieldProblem } from '@gantry/api/base/name.rules'
import ChevronRight from 'lucide-react/icons/chevron-right'
import { useState } from 'react'
import { ask } from '#/data/client.ts'
import { lastSilo } from '#/data/session.ts'
import { firstSilo, localOnly } from '#/features/sign-in/login-methods.ts'
import { SignInMethods } from '#/features/sign-in/SignInMethods.tsx'
import { Button } from '#/ui/Button.tsx'
import { Field } from '#/ui/inputs/Field.tsx'
import { TextInput } from '#/ui/inputs/TextInput.tsx'
import { loginAt, type Page, returnAt, signedIn } from './page.ts'
import { SignInFrame, SiloLine } from './SignInFrame.tsx'

/** Finds the silo and lists its sign-in methods. What the server cannot say, the user can enter. */
export const login: Page = async (context) => {
  const requested = context.search.get('silo') ?? undefined
  const listed = (await ask(loginSiloList, {}))?.items ?? []
  const silo = firstSilo(requested, lastSilo(), listed)
  if (silo === undefined) {
    return (
      <SignInFrame context={context}>
        <p className="mt-0.5 mb-5 text-muted">Which silo do you belong to?</p>
        <SiloChooser
          listed={listed}
          initial={requested ?? ''}
          onChoose={(selected) => context.go(loginAt(context, selected))}
        />
      </SignInFrame>
    )
  }
  const methods = (await ask(loginMethodView, { path: { siloName: silo } })) ?? localOnly
  return (
    <SignInFrame context={context}>
      <SiloLine silo={silo} context={context} />
      <SignInMethods
        key={silo}
        silo={silo}
        methods={methods}
        onSignedIn={() => signedIn(context)}
        returnTo={returnAt(context)}
      />
    </SignInFrame>
  )
}

interface Props {
  /** The publicly listed silos. */
  listed: readonly { name: string; description: string }[]
  initial: string
  onChoose: (silo: string) => void
}

/** Selects a silo: a listed one, or any other by name. */
function SiloChooser({ listed, initial, onChoose }: Props) {
  const [silo, setSilo] = useState(initial)
  const [problem, setProblem] = useState<string>()

  function choose(): void {
    const name = silo.trim()
    const wrong = nameFieldProblem(name, 'Silo')
    setProblem(wrong)
    if (!wrong) onChoose(name)
  }

  return (
    <div className="space-y-5">
      {listed.length > 0 && (
        <ul className="max-h-80 divide-y divide-faint-line overflow-y-auto rounded-block border border-line">
          {listed.map(({ name, description }) => (
            <li key={name}>
              <button
                type="button"
                className="wash flex w-full items-center gap-2 px-3.5 py-2.5 text-left focus-visible:-outline-offset-2"
                onClick={() => onChoose(name)}
              >
                <span className="min-w-0 grow">
                  <span className="block truncate font-medium text-strong">{name}</span>
                  {description && <span className="block truncate text-sm text-muted">{description}</span>}
                </span>
                <ChevronRight aria-hidden strokeWidth={1.75} className="size-4 shrink-0 text-muted" />
              </button>
            </li>
          ))}
        </ul>
      )}
      <form
        noValidate
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault()
          choose()
        }}
      >
        <Field
          label={listed.length > 0 ? 'Another silo' : 'Silo'}
          hint="Enter the name your administrator gave you."
          error={problem}
        >
          <TextInput
            // The page's only input.
            // oxlint-disable-next-line jsx-a11y/no-autofocus
            autoFocus={listed.length === 0}
            name="silo"
            autoComplete="organization"
            autoCapitalize="none"
            value={silo}
            onChange={(event) => setSilo(event.target.value)}
          />
        </Field>
        <Button block size="lg" kind={listed.length > 0 ? 'default' : 'primary'} type="submit">
          Continue
        </Button>
      </form>
    </div>
  )
}
