// @chunk show-code: of what a form, a list or a page sends, which few ask for.
import { useState } from 'react'
import type { RecordedStep } from '#/data/recording/recorded.ts'
import { codeOf, type Language, languages } from './code.ts'
import { CodeDialog } from './CodeDialog.tsx'
import type { CodeRequest } from './request.ts'
import { scriptOf } from './script.ts'
import { terraformOfSteps } from './terraform-of-steps.ts'

interface Props {
  title: string
  requests: readonly (CodeRequest | RecordedStep)[]
  onClose: () => void
}

/** The language that the user looked at last. */
let last: Language = 'curl'

/** The requests of a form, a list or a page in several languages. */
export function ShowCode({ title, requests, onClose }: Props) {
  const [language, setLanguage] = useState(last)
  const choose = (chosen: Language): void => {
    last = chosen
    setLanguage(chosen)
  }
  return (
    <CodeDialog
      title={title}
      languages={languages}
      language={language}
      onChoose={choose}
      code={codeIn(language, requests) ?? ''}
      empty="The Terraform provider has no resource for this."
      note={notes[language]}
      onClose={onClose}
    />
  )
}

function codeIn(language: Language, requests: Props['requests']): string | undefined {
  const server = location.origin
  const [only, ...others] = requests
  if (only && others.length === 0) return codeOf(only, server)[language]
  // The objects that a form names by their ids are here.
  return language === 'Terraform'
    ? terraformOfSteps(requests)
    : scriptOf(requests, { server, keepsIds: true })[language]
}

const notes: Readonly<Record<Language, string>> = {
  curl: 'GANTRY_TOKEN is an access token, which User settings create.',
  gantry: `Sign in first: gantry login ${location.origin}`,
  TypeScript: 'With the client library, and an access token in GANTRY_TOKEN.',
  Terraform: 'Resources of the provider oxidecomputer/oxide, which names other objects by their ids.',
}
