-- Appends bodies to a file: one direct write and one sync for all requests that wait. The first request of a group writes it.
local ffi = require "ffi"
local semaphore = require "ngx.semaphore"
ffi.cdef [[
int open(const char *path, int flags, int mode);
int posix_fallocate(int fd, long offset, long size);
int posix_memalign(void **memory, size_t alignment, size_t size);
long pwrite(int fd, const void *bytes, size_t size, long offset);
int fdatasync(int fd);
]]
local C = ffi.C
local block, file_size, buffer_size = 4096, 256 * 1024 * 1024, 16 * 1024 * 1024
local open_flags = 0x4042 -- O_RDWR, O_CREAT and O_DIRECT on amd64

local M = {}
local file, buffer, offset, group

function M.start(path)
    file = C.open(path, open_flags, 384)
    assert(file >= 0 and C.posix_fallocate(file, 0, file_size) == 0, "open " .. path)
    local memory = ffi.new("void *[1]")
    assert(C.posix_memalign(memory, block, buffer_size) == 0, "no memory")
    buffer, offset = ffi.cast("char *", memory[0]), 0
end

local function write(bodies)
    local n = 0
    for _, body in ipairs(bodies) do
        ffi.copy(buffer + n, body, #body)
        n = n + #body
    end
    n = math.ceil(n / block) * block
    if offset + n > file_size then offset = 0 end
    if C.pwrite(file, buffer, n, offset) ~= n or C.fdatasync(file) ~= 0 then return false end
    offset = offset + n
    return true
end

function M.take()
    ngx.req.read_body()
    local body = ngx.req.get_body_data()
    local mine, first = group, false
    if not mine then
        mine, first = { bodies = {}, written = semaphore.new() }, true
        group = mine
    end
    table.insert(mine.bodies, body)
    if first then
        ngx.sleep(0) -- others join
        group = nil
        mine.ok = write(mine.bodies)
        if #mine.bodies > 1 then mine.written:post(#mine.bodies - 1) end
    else
        mine.written:wait(60)
    end
    if not mine.ok then return ngx.exit(500) end
    ngx.header.content_length = 3
    ngx.print("OK\n")
end

return M
