// SPDX-License-Identifier: MIT
// Bodies that attract each other, in the C++ of the time: every node owns some and passes copies of all
// round the ring, so that each meets each. A class for messages hides NX; a stream in memory makes the report.
#include <iomanip.h>
#include <iostream.h>
#include <math.h>
#include <stdlib.h>
#include <strstream.h>
extern "C" {
#include <nx.h>
}

class Ring {
    int me, nodes, type;

public:
    Ring(int first) : me(mynode()), nodes(numnodes()), type(first) { }
    int place() const { return me; }
    int size() const { return nodes; }
    // To the next, from the one before. Types go up, so that nobody overtakes.
    void shift(void *from, void *to, int bytes)
    {
        type++;
        long id = irecv(type, (char *)to, bytes);
        csend(type, (char *)from, bytes, (me + 1) % nodes, 0);
        msgwait(id);
        if (infocount() != bytes || infonode() != (me + nodes - 1) % nodes)
            cerr << "node " << me << ": a stranger's message" << endl;
    }
    double sum(double x)
    {
        double work;
        gdsum(&x, 1, &work);
        return x;
    }
};

struct Vector {
    double x[3];
    Vector() { x[0] = x[1] = x[2] = 0; }
    Vector &operator+=(const Vector &v)
    {
        for (int i = 0; i < 3; i++)
            x[i] += v.x[i];
        return *this;
    }
    double norm() const { return sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]); }
};

struct Body {
    Vector place, force;
    double mass;
};

class Force {
public:
    virtual ~Force() { }
    virtual double strength(double distance) const = 0;
};

class Gravity : public Force {
public:
    double strength(double distance) const { return 1.0 / (distance * distance * distance); }
};

class Spring : public Force {
public:
    double strength(double) const { return 1.0; }
};

class Cluster {
    Ring &ring;
    int count;
    Body *own;
    Body *passing[2];

public:
    Cluster(Ring &r, int n) : ring(r), count(n)
    {
        own = new Body[n];
        passing[0] = new Body[n];
        passing[1] = new Body[n];
        for (int i = 0; i < n; i++) {
            int number = ring.place() * n + i;
            own[i].mass = 1.0 + number % 3;
            own[i].place.x[0] = number;
            own[i].place.x[1] = (number * number) % 7;
            own[i].place.x[2] = (number * 5) % 11;
        }
    }
    ~Cluster()
    {
        delete[] own;
        delete[] passing[0];
        delete[] passing[1];
    }

    static void attract(Body &body, const Body &other, const Force &force)
    {
        Vector between;
        for (int i = 0; i < 3; i++)
            between.x[i] = other.place.x[i] - body.place.x[i];
        double distance = between.norm();
        if (distance == 0.0)
            return;
        double factor = body.mass * other.mass * force.strength(distance);
        for (int k = 0; k < 3; k++)
            between.x[k] *= factor;
        body.force += between;
    }

    void compute(const Force &force)
    {
        int now = 0;
        for (int i = 0; i < count; i++) {
            own[i].force = Vector();
            passing[0][i] = own[i];
        }
        for (int step = 0; step < ring.size(); step++) {
            for (int a = 0; a < count; a++)
                for (int b = 0; b < count; b++)
                    attract(own[a], passing[now][b], force);
            if (step + 1 < ring.size())
                ring.shift(passing[now], passing[1 - now], count * sizeof(Body));
            now = 1 - now;
        }
    }

    // Every action has its reaction: the forces add up to nothing, though they are large.
    void report(const char *name)
    {
        Vector all;
        double large = 0;
        for (int i = 0; i < count; i++) {
            all += own[i].force;
            large += own[i].force.norm();
        }
        for (int k = 0; k < 3; k++)
            all.x[k] = ring.sum(all.x[k]);
        large = ring.sum(large);
        if (ring.place() != 0)
            return;
        char text[100];
        ostrstream line(text, sizeof text);
        line << name << " of " << count * ring.size() << " bodies: "
             << (all.norm() < 1e-9 * large && large > 1 ? "balanced" : "not balanced") << ", " << setprecision(6)
             << large << ends;
        cout << text << endl;
    }
};

main(int argc, char **argv)
{
    Ring ring(100);
    int count = argc > 1 ? atoi(argv[1]) : 24;
    Cluster cluster(ring, count / ring.size());
    Force *forces[2] = {new Gravity, new Spring};
    char *names[2] = {"gravity", "springs"};
    for (int i = 0; i < 2; i++) {
        cluster.compute(*forces[i]);
        cluster.report(names[i]);
        delete forces[i];
    }
    return 0;
}
