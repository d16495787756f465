import type { RecordedStep } from '#/data/recording/recorded.ts'
import { terraformOf } from './terraform.ts'

/** The resources that several requests create; what one of them creates, the others name as a resource. */
export function terraformOfSteps(steps: readonly RecordedStep[]): string | undefined {
  const blocks = new Set<string>()
  const resources = new Map<string, string>()
  for (const { op, input, answered } of steps) {
    const text = terraformOf({ op, input })
    if (text === undefined) continue
    const named = [...resources].reduce((all, [id, label]) => all.replaceAll(`"${id}"`, `${label}.id`), text)
    // Several requests name the same objects.
    for (const block of named.split('\n\n')) blocks.add(block)
    const [, type, label] = [...text.matchAll(/^resource "([\w-]+)" "([\w-]+)"/gm)].at(-1) ?? []
    if (answered && type && label) resources.set(answered.id, `${type}.${label}`)
  }
  return blocks.size > 0 ? [...blocks].join('\n\n') : undefined
}
