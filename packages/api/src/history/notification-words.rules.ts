import type { RoleName } from '../base/roles.rules.ts'
import { spoken } from '../base/state.rules.ts'
import { platformReason } from './activity.rules.ts'
import type { NotificationKind } from './notification.rules.ts'
import { type ToldTask, taskSentence } from './task.rules.ts'

/** A notification in words: a heading without a full stop, why in whole sentences, and what to do. */
export interface NotificationWords {
  title: string
  message: string | null
  next_step: string | null
}

interface Failure {
  message?: string | null
  next_step?: string | null
}
interface EndedTask {
  task: ToldTask
  failure: Failure | null
}

/** What is known of each kind. */
interface Facts {
  task_failed: EndedTask
  task_finished: EndedTask
  instance_failed: { name: string | null; failure: Failure | null }
  instance_restarted: { name: string | null }
  /** The issue's message names the silo and the resource. */
  quota: { message: string }
  certificate: { message: string; next_step: string }
  token: { created: Date; expires: Date }
  /** `giver` is null for an operator, whom a silo does not name. */
  role: { role: RoleName; place: { kind: string; name: string } | null; giver: string | null }
}

const day = (time: Date): string => time.toISOString().slice(0, 10)

const ofTask = ({ task, failure }: EndedTask): NotificationWords => ({
  title: taskSentence(task),
  message: failure?.message ?? null,
  // Of many objects, each has a next step of its own.
  next_step: task.count > 1 ? null : (failure?.next_step ?? null),
})

/** How the platform tells users what happened, the same wherever it is told. */
export const notificationWords: {
  readonly [Kind in NotificationKind]: (facts: Facts[Kind]) => NotificationWords
} = {
  task_failed: ofTask,
  task_finished: ofTask,
  instance_failed: ({ name, failure }) => ({
    title: `Instance ${name} failed`,
    message: failure?.message ?? null,
    next_step: failure?.next_step ?? null,
  }),
  instance_restarted: ({ name }) => ({
    title: `Instance ${name} was restarted`,
    message: platformReason('reconcile:auto-restart') ?? null,
    next_step: null,
  }),
  quota: ({ message }) => ({
    title: 'A quota is nearly used up',
    message,
    next_step: 'Free unused resources, or ask the operator for more.',
  }),
  certificate: ({ message, next_step }) => ({ title: 'A certificate expires soon', message, next_step }),
  token: ({ created, expires }) => ({
    title: `An access token expires on ${day(expires)}`,
    message: `It was created on ${day(created)}.`,
    next_step: 'Sign the program in again to replace it.',
  }),
  role: ({ role, place, giver }) => ({
    title: `You have the role ${spoken(role)} on ${place ? `${place.kind} ${place.name}` : 'the fleet'}`,
    message: `${giver ?? 'An operator'} gave it to you.`,
    next_step: null,
  }),
}
