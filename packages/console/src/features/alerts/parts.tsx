import { StatePlate } from '#/ui/StatePlate.tsx'
import type { Delivery, ReceiverHealth } from './queries.ts'
import { attemptWords, deliveryStateWords, healthWords } from './words.ts'

export function HealthPlate({ receiver }: { receiver: ReceiverHealth }) {
  const { family, text } = healthWords(receiver)
  return <StatePlate family={family}>{text}</StatePlate>
}

export function DeliveryPlate({ state }: Pick<Delivery, 'state'>) {
  const { family, text } = deliveryStateWords[state]
  return <StatePlate family={family}>{text}</StatePlate>
}

type Attempt = Delivery['attempts']['webhook'][number]

export function AttemptPlate({ result, response }: Pick<Attempt, 'result' | 'response'>) {
  const { family, text } = attemptWords(result, response?.status)
  return <StatePlate family={family}>{text}</StatePlate>
}
