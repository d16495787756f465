# A guest for tests, in the 512 bytes of a boot sector. It prints, repeats what is typed, writes to its disk, obeys the power
# button, and releases disks. Assembled into sector.ts by
#   as --32 -o guest.o guest.s && ld -m elf_i386 -Ttext 0x7c00 --oformat binary -o guest.bin guest.o && base64 -w 100 guest.bin
.code16
.globl _start
.set COM1, 0x3f8
.set PM1_STATUS, 0x600      # where SeaBIOS puts the power management of q35
.set PM1_ENABLE, 0x602
.set PM1_CONTROL, 0x604
.set BUTTON, 0x100          # of status and enable, which QEMU reads and writes as words only
.set RELEASE, 0xcc4         # the slots that are to be released, of the only bridge; ejected by the next port
.set TICKS, 0x46c           # where the firmware counts them, 18 a second
.set BUFFER, 0x8000

_start:
    ljmp $0, $1f
1:  xor %ax, %ax
    mov %ax, %ds
    mov %ax, %es
    mov %ax, %ss
    mov $0x7c00, %sp
    mov %dl, drive
    mov $PM1_ENABLE, %dx
    mov $BUTTON, %ax
    out %ax, %dx
    # The firmware sends its last words in the interrupts of its timer: a quick greeting would stand between their letters.
    sti
    mov TICKS, %bx
2:  hlt
    mov TICKS, %ax
    sub %bx, %ax
    cmp $4, %ax
    jb 2b
    mov $greeting, %si
    call print

loop:
    mov $PM1_STATUS, %dx
    in %dx, %ax
    test $BUTTON, %ax
    jnz off
    mov $RELEASE, %dx
    in %dx, %eax
    mov $RELEASE + 4, %dx
    test %eax, %eax
    jz 2f
    out %eax, %dx
2:
    # The firmware reads the serial port in its interrupts, as a keyboard.
    mov $1, %ah
    int $0x16
    jnz key
    cmpb $0, writing
    jne write
    # The timer of the firmware ends this 18 times a second.
    sti
    hlt
    jmp loop

key:
    xor %ah, %ah
    int $0x16
    call put
    cmp $'R', %al
    je restart
    cmp $'P', %al
    je panic
    cmp $'O', %al
    je off
    cmp $'W', %al
    je toggle
    cmp $'F', %al
    je fill
    jmp loop

toggle:
    xorb $1, writing
    jmp loop

# Counts in two sectors almost 60 MiB apart, one after the other: at any point in time, the first is equal to the second,
# or one ahead of it.
write:
    incl count
    mov $8, %eax
    call store
    mov $122880, %eax
    call store
    mov $'.', %al
    call put
    jmp loop

# Fills the disk from its first MiB on, in pieces of 32 KiB, until a write fails.
fill:
    movl $2048, %ebx
    movw $64, blocks
2:  mov %ebx, %eax
    call store
    jc 3f
    add $64, %ebx
    jmp 2b
3:  movw $1, blocks
    mov $full, %si
    call print
    jmp loop

# Writes a buffer that begins with the count to the sector in eax; carry if that fails.
store:
    mov %eax, sector
    mov count, %eax
    mov %eax, BUFFER
    mov $packet, %si
    mov drive, %dl
    mov $0x4300, %ax
    push %ebx
    int $0x13
    pop %ebx
    ret

off:
    mov $PM1_CONTROL, %dx
    mov $0x2000, %ax
    out %ax, %dx
    hlt

restart:
    mov $0xcf9, %dx
    mov $6, %al
    out %al, %dx
    hlt

panic:
    mov $0x505, %dx
    mov $1, %al
    out %al, %dx
    hlt

print:
    lodsb
    test %al, %al
    jz 5f
    call put
    jmp print
5:  ret

put:
    push %ax
    mov $COM1 + 5, %dx
6:  in %dx, %al
    test $0x20, %al
    jz 6b
    pop %ax
    mov $COM1, %dx
    out %al, %dx
    ret

greeting: .asciz "guest ready\r\n"
full: .asciz "disk full\r\n"
writing: .byte 0
drive: .byte 0
.align 4
count: .long 0
# A disk address packet of the BIOS.
packet: .byte 16, 0
blocks: .word 1
    .word BUFFER, 0
sector: .long 0, 0

.org 510
.word 0xaa55
