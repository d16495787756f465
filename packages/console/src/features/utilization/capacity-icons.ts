import type { LucideIcon } from 'lucide-react'
import Cpu from 'lucide-react/icons/cpu'
import HardDrive from 'lucide-react/icons/hard-drive'
import MemoryStick from 'lucide-react/icons/memory-stick'
import type { Capacity } from './capacities.ts'

export const capacityIcons: Record<Capacity['id'], LucideIcon> = {
  cpus: Cpu,
  memory: MemoryStick,
  storage: HardDrive,
}
