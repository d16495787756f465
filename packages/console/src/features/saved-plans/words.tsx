import type { StateFamily } from '#/ui/data/StatePlate.tsx'
import { StatePlate } from '#/ui/data/StatePlate.tsx'
import { sentenceCase } from '#/ui/data/format.ts'
import { kindWord } from '#/kit/page/stored-values.ts'
import type { SavedPlan } from './queries.ts'

const families: Record<SavedPlan['state'], StateFamily> = {
  open: 'care',
  committed: 'ok',
  withdrawn: 'gone',
  expired: 'gone',
}

export const PlanPlate = ({ state }: Pick<SavedPlan, 'state'>) => (
  <StatePlate family={families[state]}>{sentenceCase(state)}</StatePlate>
)

const verbs: Readonly<Record<string, string>> = { create: 'New', update: 'Edit' }

/** `Edit VPC firewall rules`, `Delete project`: what the operation does, and to what. */
export function operationText({ operation, about }: Pick<SavedPlan, 'operation' | 'about'>): string {
  if (operation === 'deletion_create') return `Delete ${about ? kindWord(about.kind) : ''}`.trim()
  const words = operation.split('_')
  const verb = words.pop() ?? ''
  return `${verbs[verb] ?? sentenceCase(verb)} ${kindWord(words.join('-'))}`
}

/** The same with the object, once. */
export function planTitle(plan: Pick<SavedPlan, 'operation' | 'about' | 'project'>): string {
  const text = operationText(plan)
  const noun = plan.about && kindWord(plan.about.kind)
  return noun && plan.about?.name && text.endsWith(` ${noun}`)
    ? `${text} ${plan.about.name}`
    : `${text}: ${aboutText(plan)}`
}

export const aboutText = ({ about, project }: Pick<SavedPlan, 'about' | 'project'>): string => {
  if (!about) return project?.name ?? 'The silo'
  return about.name === null ? sentenceCase(kindWord(about.kind)) : `${kindWord(about.kind)} ${about.name}`
}

export const nameOf = (person: { name: string | null }): string => person.name ?? 'a user who was deleted'
